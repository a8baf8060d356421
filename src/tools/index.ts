import { makeToolbox, type Tool, type Toolbox } from '../agent/tool';
import { Reader } from '../knowledge/reader';
import { calculatorTool } from './calculator';
import type { ToolDependencies } from './dependencies';
import { fetchTool } from './fetch';
import { lookupTool } from './lookup';
import { npmTool } from './npm';
import { searchTool } from './search';
import { sectionTool } from './section';

export interface ToolboxOptions extends Omit<ToolDependencies, 'reader'> {
  /** Names of the tools that are on. Default: all. */
  enabled?: readonly string[];
  /** Tools that come from elsewhere, such as the editor's. */
  extra?: readonly Tool[];
}

/** Every tool that needs no editor, in the order in which the work manual lists them. */
const TOOLS: readonly ((dependencies: ToolDependencies) => Tool)[] = [
  searchTool,
  lookupTool,
  sectionTool,
  fetchTool,
  calculatorTool,
  npmTool,
];

/** The tools of one run, with an open page of their own. */
export function createToolbox({ enabled, extra = [], ...shared }: ToolboxOptions): Toolbox {
  const dependencies: ToolDependencies = { ...shared, reader: new Reader() };
  const tools = [...TOOLS.map((make) => make(dependencies)), ...extra];
  return makeToolbox(tools.filter(({ name }) => enabled?.includes(name) ?? true));
}
