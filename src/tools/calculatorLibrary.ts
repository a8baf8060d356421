import {
  type BigNumber,
  BigNumberDependencies,
  type ConstantNode,
  create,
  type FunctionNode,
  type MathNode,
  type OperatorNode,
  type ParenthesisNode,
  parseDependencies,
  type SymbolNode,
} from 'mathjs';

/** Why there is no result. `name` cases carry the word that is no arithmetic. */
export type Failure = 'syntax' | 'name' | 'zero' | 'large' | 'undefined' | 'deep' | 'arguments';

export class CalculatorError extends Error {
  override readonly name = 'CalculatorError';
  constructor(
    readonly failure: Failure,
    readonly detail = '',
  ) {
    super(detail ? `${failure}: ${detail}` : failure);
  }
}

const LARGEST_EXPONENT = 1000;
const WHOLE_DIGITS = 40;
const EXACT_DIGITS = 20;
const SHOWN_DIGITS = 15;

/** Only the parser and decimals: nothing of what the library could evaluate (units, functions, assignments, objects) is there. */
const math = create({ ...parseDependencies!, ...BigNumberDependencies! }, { number: 'BigNumber', precision: 64 });
const decimal = (value: number | string): BigNumber =>
  new (math as unknown as { BigNumber: new (value: number | string) => BigNumber }).BigNumber(value);

type Operation = (...values: BigNumber[]) => BigNumber;

function divide(a: BigNumber, b: BigNumber): BigNumber {
  if (b.isZero()) throw new CalculatorError('zero');
  return a.div(b);
}

function modulo(a: BigNumber, b: BigNumber): BigNumber {
  return a.minus(b.times(divide(a, b).floor()));
}

function power(base: BigNumber, exponent: BigNumber): BigNumber {
  if (base.isZero() && exponent.isNegative()) throw new CalculatorError('zero');
  const digits = base.isZero() ? 0 : base.abs().log(10).times(exponent).abs().toNumber();
  if (digits > LARGEST_EXPONENT) throw new CalculatorError('large');
  return base.pow(exponent);
}

function factorial(value: BigNumber): BigNumber {
  if (!value.isInteger() || value.isNegative()) throw new CalculatorError('undefined');
  if (value.gt(450)) throw new CalculatorError('large');
  let product = decimal(1);
  for (let factor = 2; factor <= value.toNumber(); factor++) product = product.times(factor);
  return product;
}

const sum = (values: BigNumber[]) => values.reduce((total, value) => total.plus(value), decimal(0));

function round(value: BigNumber, places = decimal(0)): BigNumber {
  if (!places.isInteger() || places.abs().gt(50)) throw new CalculatorError('arguments', 'round');
  const scale = decimal(10).pow(places);
  const scaled = value.abs().times(scale).plus(0.5).floor().div(scale);
  return value.isNegative() ? scaled.neg() : scaled;
}

const OPERATORS = new Map<string, Operation>([
  ['add', (a, b) => a!.plus(b!)],
  ['subtract', (a, b) => a!.minus(b!)],
  ['multiply', (a, b) => a!.times(b!)],
  ['divide', (a, b) => divide(a!, b!)],
  ['pow', (a, b) => power(a!, b!)],
  ['mod', (a, b) => modulo(a!, b!)],
  ['unaryMinus', (a) => a!.neg()],
  ['unaryPlus', (a) => a!],
  ['factorial', (a) => factorial(a!)],
]);

/** Functions by name, with the least and the greatest number of arguments. */
const FUNCTIONS = new Map<string, [Operation, number, number]>([
  ['abs', [(a) => a!.abs(), 1, 1]],
  ['sqrt', [(a) => a!.sqrt(), 1, 1]],
  ['cbrt', [(a) => a!.cbrt(), 1, 1]],
  ['floor', [(a) => a!.floor(), 1, 1]],
  ['ceil', [(a) => a!.ceil(), 1, 1]],
  ['trunc', [(a) => a!.trunc(), 1, 1]],
  ['round', [(a, places) => round(a!, places), 1, 2]],
  ['exp', [(a) => power(decimal(1).exp(), a!), 1, 1]],
  ['ln', [(a) => a!.ln(), 1, 1]],
  ['log', [(a, base) => (base ? a!.log(base) : a!.ln()), 1, 2]],
  ['log10', [(a) => a!.log(10), 1, 1]],
  ['log2', [(a) => a!.log(2), 1, 1]],
  ['sin', [(a) => a!.sin(), 1, 1]],
  ['cos', [(a) => a!.cos(), 1, 1]],
  ['tan', [(a) => a!.tan(), 1, 1]],
  ['pow', [(a, b) => power(a!, b!), 2, 2]],
  ['mod', [(a, b) => modulo(a!, b!), 2, 2]],
  ['factorial', [(a) => factorial(a!), 1, 1]],
  ['min', [(...all) => all.reduce((a, b) => (a.lt(b) ? a : b)), 1, 99]],
  ['max', [(...all) => all.reduce((a, b) => (a.gt(b) ? a : b)), 1, 99]],
  ['sum', [(...all) => sum(all), 1, 99]],
  ['mean', [(...all) => sum(all).div(all.length), 1, 99]],
  ['average', [(...all) => sum(all).div(all.length), 1, 99]],
]);

const CONSTANTS = new Map<string, () => BigNumber>([
  ['pi', () => decimal(-1).acos()],
  ['e', () => decimal(1).exp()],
]);

function bounded(value: BigNumber): BigNumber {
  if (value.isNaN()) throw new CalculatorError('undefined');
  if (!value.isFinite() || value.e > LARGEST_EXPONENT) throw new CalculatorError('large');
  return value;
}

const written = (node: MathNode) => node.toString().replace(/\s+/g, ' ').slice(0, 40);

/** Walks the tree and knows arithmetic alone: whatever else can be written is refused by name. */
function compute(node: MathNode): BigNumber {
  switch (node.type) {
    case 'ConstantNode': {
      const { value } = node as unknown as ConstantNode<BigNumber | number>;
      // The parser writes the 100 of a percentage as a plain number; true, false, null and texts are no arithmetic.
      if (typeof value === 'number') return bounded(decimal(value));
      if (typeof value !== 'object' || value === null) throw new CalculatorError('name', String(value));
      return bounded(value);
    }
    case 'ParenthesisNode':
      return compute((node as ParenthesisNode).content);
    case 'OperatorNode': {
      const { fn, op, args } = node as OperatorNode;
      const operation = OPERATORS.get(fn as string);
      if (!operation) throw new CalculatorError('name', op);
      return bounded(operation(...args.map(compute)));
    }
    case 'FunctionNode': {
      const { fn, args } = node as FunctionNode;
      const name = (fn as unknown as MathNode).type === 'SymbolNode' ? (fn as unknown as SymbolNode).name : '';
      const [operation, least, most] = FUNCTIONS.get(name.toLowerCase()) ?? [];
      if (!operation) throw new CalculatorError('name', name || written(node));
      if (args.length < least! || args.length > most!) throw new CalculatorError('arguments', name);
      return bounded(operation(...args.map(compute)));
    }
    case 'SymbolNode': {
      const { name } = node as SymbolNode;
      const constant = CONSTANTS.get(name.toLowerCase());
      if (!constant) throw new CalculatorError('name', name);
      return constant();
    }
    default:
      throw new CalculatorError('name', written(node));
  }
}

/** Exact where it is exact: integers whole, decimals to 20 digits; the rest rounded, and said to be. */
function write(exact: BigNumber): { text: string; isRounded: boolean } {
  const value = exact.toSignificantDigits(50); // What is beyond is left over from 64-digit divisions and roots.
  const digits = value.precision();
  if (value.isInteger() && value.e < WHOLE_DIGITS) return { text: value.toFixed(), isRounded: false };
  if (digits <= EXACT_DIGITS && value.e > -WHOLE_DIGITS && value.e < WHOLE_DIGITS)
    return { text: value.toFixed(), isRounded: false };
  const rounded = value.toSignificantDigits(SHOWN_DIGITS);
  const text = rounded.e >= -9 && rounded.e < WHOLE_DIGITS ? rounded.toFixed() : rounded.toExponential();
  return { text, isRounded: !rounded.eq(value) };
}

/**
 * @param expression arithmetic in plain notation, at most some thousand characters
 * @throws CalculatorError
 */
export function calculate(expression: string): { text: string; isRounded: boolean } {
  let tree: MathNode;
  try {
    tree = math.parse(expression);
  } catch (error) {
    throw new CalculatorError(error instanceof RangeError ? 'deep' : 'syntax');
  }
  try {
    return write(compute(tree));
  } catch (error) {
    throw error instanceof RangeError ? new CalculatorError('deep') : error;
  }
}
