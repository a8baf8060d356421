import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** A TypeScript module of test/support, loaded as it is; call it after setup(), since tsx comes with the packages. */
export function load(path) {
  require('tsx/cjs');
  return require(`../../${path}`);
}
