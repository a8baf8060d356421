import {
  type AnyNode,
  BLOCK_TAGS,
  type Element,
  hasClass,
  isElement,
  isNoise,
  type ParentNode,
  textOf,
  walk,
} from './markup';

/** A wider table, or a wider span, is cut here: no real table needs more, and a hostile one must not cost more. */
const MOST_COLUMNS = 60;
/** A cell that spans rows is repeated in each, up to this many UTF-16 units. */
const LONGEST_REPEAT = 200;

const DATA_CLASSES = new Set(['wikitable', 'sortable', 'data', 'table', 'infobox']);
const ROW_GROUPS = new Set(['tbody', 'thead', 'tfoot']);

interface Cell {
  text: string;
  header: boolean;
  columns: number;
  rows: number;
}

const elementsOf = (node: ParentNode): Element[] => (node.children as AnyNode[]).filter(isElement);

/** The rows of this table, not those of tables inside it. */
function rowsOf(table: Element): Element[] {
  return elementsOf(table)
    .flatMap((child) => (ROW_GROUPS.has(child.name) ? elementsOf(child) : [child]))
    .filter((row) => row.name === 'tr' && !isNoise(row));
}

const cellsOf = (row: Element) => elementsOf(row).filter((cell) => cell.name === 'td' || cell.name === 'th');

function holdsBlocks(cell: Element): boolean {
  let found = false;
  walk(cell, {
    text() {},
    enter(inner) {
      found ||= BLOCK_TAGS.has(inner.name);
      return !found;
    },
    leave() {},
  });
  return found;
}

/** Whether a table holds data; else it only lays out a page, and its cells are blocks like any other. */
export function isDataTable(table: Element): boolean {
  if (table.attribs.role === 'presentation') return false;
  if (hasClass(table, DATA_CLASSES)) return true;
  const rows = rowsOf(table).map(cellsOf);
  if (rows.some((cells) => cells.some((cell) => cell.name === 'th'))) return true;
  return rows.some((cells) => cells.length > 1) && !rows.some((cells) => cells.some(holdsBlocks));
}

const span = (value: string | undefined) => Math.min(MOST_COLUMNS, Math.max(1, Number.parseInt(value ?? '1', 10) || 1));

function readCell(cell: Element): Cell {
  return {
    text: isNoise(cell) ? '' : textOf(cell, ', '),
    header: cell.name === 'th',
    columns: span(cell.attribs.colspan),
    rows: Math.max(1, Number.parseInt(cell.attribs.rowspan ?? '1', 10) || 1),
  };
}

/** Cells by column, with those that reach down from rows above. */
function grid(rows: Element[]): Cell[][] {
  const reaching: { cell: Cell; left: number }[] = [];
  return rows.map((row) => {
    const line: Cell[] = [];
    const waiting = cellsOf(row).map(readCell);
    for (let column = 0; column < MOST_COLUMNS; ) {
      const above = reaching[column];
      if (above && above.left > 0) {
        above.left--;
        line[column++] = above.cell;
        continue;
      }
      const cell = waiting.shift();
      if (!cell) {
        if (!reaching.some((one, at) => at > column && one.left > 0)) break;
        line[column++] = { text: '', header: false, columns: 1, rows: 1 };
        continue;
      }
      const repeated = { ...cell, text: cell.text.slice(0, LONGEST_REPEAT) };
      for (let width = 0; width < cell.columns && column < MOST_COLUMNS; width++, column++) {
        line[column] = width === 0 ? cell : { ...cell, text: '' };
        reaching[column] = { cell: width === 0 ? repeated : { ...cell, text: '' }, left: cell.rows - 1 };
      }
    }
    return line;
  });
}

/** Headers by column: the leading rows that are all headers; a second row refines the first. */
function headersOf(lines: Cell[][]): { headers: string[]; first: number } {
  const headers: string[] = [];
  let first = 0;
  for (; first < lines.length; first++) {
    const line = lines[first]!;
    if (line.length < 2 || !line.every((cell) => cell.header || cell.text === '')) break;
    let spanning = '';
    for (const [column, cell] of line.entries()) {
      spanning = cell.text !== '' || cell.columns === 1 ? cell.text : spanning;
      const known = headers[column];
      headers[column] = known && spanning && known !== spanning ? `${known}, ${spanning}` : spanning || known || '';
    }
  }
  return first === lines.length ? { headers: [], first: 0 } : { headers, first };
}

/**
 * The rows of a data table as text: "header: value; header: value". Without headers, two columns read as
 * "first: second". Cells that span rows are said again in each of them.
 */
export function readTable(table: Element): string[] {
  const lines = grid(rowsOf(table));
  const { headers, first } = headersOf(lines);
  const caption = elementsOf(table).find((child) => child.name === 'caption');
  const rows = caption && !isNoise(caption) ? [textOf(caption)] : [];
  for (const line of lines.slice(first)) {
    const filled = [...line.entries()].filter(([, cell]) => cell?.text);
    const labelled = filled.map(([column, { text }]) => (headers[column] ? `${headers[column]}: ${text}` : text));
    const isPair = headers.length === 0 && filled.length === 2 && (filled[0]![1].header || line.length === 2);
    rows.push(isPair ? `${labelled[0]!.replace(/\s*[:：]$/, '')}: ${labelled[1]}` : labelled.join('; '));
  }
  return rows.filter((row) => row !== '');
}
