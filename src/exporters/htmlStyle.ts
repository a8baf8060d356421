/** The panel's look without VS Code: its colours in a light and a dark theme, each at least 4.5:1 on its background. */
export const STYLE = `
:root { color-scheme: light dark; --page: #f8f8f8; --text: #3b3b3b; --muted: #616161; --border: #d4d4d4; --card: #fff;
  --link: #005fb8; --accent: #005fb8; --think: #8a00ab; --act: #11664a; --observe: #0451a5; --ok: #1f7a33; --warn: #8a5a00; --bad: #b01011; }
@media (prefers-color-scheme: dark) {
  :root { --page: #181818; --text: #ccc; --muted: #9d9d9d; --border: #3c3c3c; --card: #1f1f1f; --link: #4daafc;
    --accent: #0078d4; --think: #d19fce; --act: #4ec9b0; --observe: #9cdcfe; --ok: #4cc463; --warn: #d7ac2a; --bad: #f88070; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 0 1rem 3rem; background: var(--page); color: var(--text);
  font: 100%/1.55 system-ui, -apple-system, "Segoe UI", "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif; }
h1 { font-size: 1.3rem; margin: 1.4rem 0 .4rem; } h2 { font-size: 1.1rem; margin: 1.8rem 0 .5rem; }
h3 { font-size: 1rem; margin: 0 0 .4rem; } h4 { font-size: .8rem; margin: .6rem 0 .1rem; color: var(--muted); font-weight: 600; }
p { margin: .3rem 0; } a { color: var(--link); } a:focus-visible, summary:focus-visible, pre:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.prose { white-space: pre-wrap; overflow-wrap: anywhere; }
.muted, .times { color: var(--muted); } .times { font-size: .85rem; font-weight: 400; }
.facts { display: flex; flex-wrap: wrap; gap: .2rem 1rem; list-style: none; margin: 0; padding: 0; color: var(--muted); font-size: .9rem; }
.status { font-weight: 600; color: var(--ok); } .status.limit, .status.interrupted, .status.cancelled { color: var(--warn); } .status.failed { color: var(--bad); }
.bar { display: flex; height: .5rem; margin-top: .6rem; border-radius: .25rem; overflow: hidden; background: var(--border); }
.bar i { flex: 0 1 0; } .bar .model { background: var(--think); } .bar .tool { background: var(--act); }
.answer { border: 1px solid var(--accent); border-radius: .4rem; background: var(--card); padding: .2rem 1rem .8rem; margin-top: 1.2rem; }
.answer h2 { margin-top: .6rem; }
.markdown { overflow-wrap: anywhere; } .markdown table { border-collapse: collapse; display: block; overflow-x: auto; }
.markdown th, .markdown td { border: 1px solid var(--border); padding: .2rem .5rem; }
.markdown blockquote { margin: .5rem 0; padding-inline-start: .8rem; border-inline-start: 3px solid var(--border); }
pre { overflow-x: auto; padding: .6rem; border: 1px solid var(--border); border-radius: .3rem; background: var(--page); }
code { font: .9em ui-monospace, Consolas, Menlo, monospace; overflow-wrap: anywhere; }
sup { font-size: .75em; line-height: 0; } .unsupported { color: var(--warn); font-weight: 600; }
.sources { padding-inline-start: 1.2rem; } .sources li { margin: .3rem 0; overflow-wrap: anywhere; }
.step { border-inline-start: 2px solid var(--border); padding: .2rem 0 .8rem 1rem; margin-top: 1rem; }
.action code { color: var(--act); font-weight: 600; }
.observation { border: 1px solid var(--border); border-inline-start: 3px solid var(--observe); border-radius: .3rem; background: var(--card); padding: .3rem .7rem; }
.observation.missed { border-inline-start-color: var(--warn); }
.notice { border-inline-start: 3px solid var(--warn); padding: .1rem .7rem; }
summary { cursor: pointer; color: var(--muted); }
@media (forced-colors: active) { .bar .model { background: Highlight; } .bar .tool { background: CanvasText; } }
@media print { body { max-width: none; } .step, .answer { break-inside: avoid-page; } }
`;
