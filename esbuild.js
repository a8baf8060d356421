// Bundles the extension into dist/:  node esbuild.js [--watch]
//
// CommonJS bundles don't split, so what isn't needed at once is a bundle of its own, loaded when first used. The source
// says `await import('./research')`; here that becomes `require('./research.js')` of the other bundle. Under tsx and
// mocha the same line simply imports the module.
const { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } = require('node:fs');
const { resolve } = require('node:path');
const esbuild = require('esbuild');

const watch = process.argv.includes('--watch');

/** Bundle name → its entry; `lazy` ones are loaded by others through a dynamic import. */
const NODE_BUNDLES = {
  extension: { entry: 'src/extension.ts' },
  research: { entry: 'src/host/research.ts', lazy: true },
  models: { entry: 'src/host/modelCommands.ts', lazy: true },
  exporting: { entry: 'src/host/exporting.ts', lazy: true },
  calculator: { entry: 'src/tools/calculatorLibrary.ts', lazy: true },
  web: { entry: 'src/knowledge/webLibrary.ts', lazy: true },
  cli: { entry: 'src/cli/main.ts', banner: '#!/usr/bin/env node' },
};
const NOTICES = 'dist/third-party-notices.txt';
const WEBVIEW_ENTRY = 'src/webview/main.ts';

/** Turns dynamic imports of the lazy entries into references to their bundles beside this one. */
const lazyBundles = {
  name: 'lazy-bundles',
  setup(build) {
    const bundleOf = new Map(
      Object.entries(NODE_BUNDLES)
        .filter(([, bundle]) => bundle.lazy)
        .map(([name, bundle]) => [resolve(bundle.entry), `./${name}.js`]),
    );
    build.onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined;
      const bundle = bundleOf.get(`${resolve(resolveDir, path)}.ts`);
      return bundle && { path: bundle, external: true };
    });
  },
};

const common = {
  bundle: true,
  minify: !watch,
  sourcemap: watch,
  metafile: true,
  logLevel: 'warning',
  legalComments: 'none',
};

function nodeOptions(name, { entry, banner }) {
  return {
    ...common,
    entryPoints: [entry],
    outfile: `dist/${name}.js`,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    charset: 'utf8', // Chinese text takes half the bytes
    external: ['vscode'],
    supported: { 'dynamic-import': false }, // require() of the lazy bundles: VS Code's own hooks apply to it
    banner: banner ? { js: banner } : undefined,
    plugins: [lazyBundles],
  };
}

const webviewOptions = {
  ...common,
  entryPoints: { view: WEBVIEW_ENTRY },
  outdir: 'dist',
  platform: 'browser',
  format: 'iife',
  target: 'es2022',
};

/** Writes what went into a bundle to out/meta, for the checks of sizes and packages, and returns it. */
async function buildOnce(name, options) {
  const { metafile } = await esbuild.build(options);
  writeFileSync(`out/meta/${name}.json`, JSON.stringify(metafile));
  return metafile;
}

/** Builds again at each change, and says so in the words that the problem matcher of .vscode/tasks.json waits for. */
async function keepBuilding(builds) {
  let running = 0;
  const report = {
    name: 'report',
    setup(build) {
      build.onStart(() => {
        if (running++ === 0) console.log('[watch] build started');
      });
      build.onEnd(({ errors }) => {
        for (const { text, location: at } of errors) {
          console.error(`✘ [ERROR] ${text}\n    ${at?.file ?? ''}:${at?.line ?? 1}:${at?.column ?? 0}:`);
        }
        if (--running === 0) console.log('[watch] build finished');
      });
    },
  };
  const contexts = builds.map(([, options]) =>
    esbuild.context({ ...options, logLevel: 'silent', plugins: [...(options.plugins ?? []), report] }),
  );
  await Promise.all((await Promise.all(contexts)).map((context) => context.watch()));
}

async function main() {
  process.chdir(__dirname);
  const builds = [
    ...Object.entries(NODE_BUNDLES).map(([name, bundle]) => [name, nodeOptions(name, bundle)]),
    ['view', webviewOptions],
  ];
  if (watch) return keepBuilding(builds);
  rmSync('out/meta', { recursive: true, force: true });
  mkdirSync('out/meta', { recursive: true });
  const metafiles = await Promise.all(builds.map(([name, options]) => buildOnce(name, options)));
  const { thirdPartyNotices } = await import('./scripts/support/notices.mjs');
  writeFileSync(NOTICES, thirdPartyNotices(metafiles));
  const outputs = [NOTICES, ...metafiles.flatMap((metafile) => Object.keys(metafile.outputs))];
  // what an earlier build left: source maps, bundles that are no more
  for (const name of readdirSync('dist'))
    if (!outputs.includes(`dist/${name}`)) rmSync(`dist/${name}`, { recursive: true });
  chmodSync('dist/cli.js', 0o755);
}

main().catch((error) => {
  if (!error.errors) console.error(error); // esbuild has told its own
  process.exit(1);
});
