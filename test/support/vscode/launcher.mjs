#!/usr/bin/env node
// An executable that behaves like VS Code's for `runTests({ vscodeExecutablePath })`; see launch.ts.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
require('tsx/cjs');
require('./launch.ts').launch(process.argv.slice(2));
