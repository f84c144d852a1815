/**
 * Bounds for the size of numbers, and thereby whether a number can be NaN. Stores differ in how they compare and order
 * NaN, and numbers that cannot be NaN are printed without special cases. Stored numbers are finite, like all numbers in
 * JSON; NaN comes from text and from arithmetic with infinity.
 */
import type { AggregateExpr, CallExpr, Expr } from '../../expression';
import type { QueryPlan, RelationPlan, ScanInput } from '../../plan';
import type { Type } from '../../types';
import { isArithmetic, innerArithmetic, leavesOf } from './overflow';
import { itemAt } from '../../../items';

/** Largest possible absolute value; Infinity if the value may be infinite, NaN if it may be NaN. */
type Magnitude = number;

const LARGEST_INT = 2 ** 63;

export class Magnitudes {
  private readonly known = new WeakMap<Expr, Magnitude>();

  /** @param relation finds a FROM item by id */
  constructor(private readonly relation: (id: number) => RelationPlan | undefined) {}

  /** Whether a FLOAT64, or an element of an array of them, may be NaN. */
  mayBeNaN(expr: Expr): boolean {
    return Number.isNaN(this.of(expr));
  }

  /** Whether an output of a plan may be NaN. */
  outputMayBeNaN(plan: QueryPlan, name: string): boolean {
    return Number.isNaN(this.ofOutput(plan, name));
  }

  /** Whether arithmetic on finite numbers may give infinity or NaN. */
  mayOverflow(call: CallExpr): boolean {
    return !Number.isFinite(this.unbounded(call));
  }

  /** Whether a number may be infinite or NaN. */
  mayBeInfinite(expr: Expr): boolean {
    return isFloat(expr.type) && !Number.isFinite(this.of(expr));
  }

  /** Magnitude of arithmetic without its test for overflow. */
  private unbounded(call: CallExpr): Magnitude {
    const [a = NaN, b = NaN] = call.args.map((arg, index) => {
      const inner = innerArithmetic(call, index);
      return inner === undefined ? this.of(arg) : this.unbounded(inner);
    });
    switch (call.fn) {
      case 'add':
      case 'sub':
        return a === Infinity && b === Infinity ? NaN : a + b;
      case 'mul':
        return Number.isFinite(a) && Number.isFinite(b) ? a * b : NaN;
      case 'divide':
      case 'safe_divide':
        // Division by zero gives NULL.
        return Number.isFinite(a) && Number.isFinite(b) ? a / smallest(call.args[1]) : Number.isFinite(b) ? a : NaN;
      case 'neg':
        return a;
      case 'round':
        return Number.isFinite(a) ? Infinity : a;
      case 'exp':
      case 'safe_exp':
        return Math.exp(a);
      case 'safe_add':
      case 'safe_sub':
        return a + b;
      case 'sin':
      case 'cos':
        return Number.isFinite(a) ? 1 : NaN;
      default:
        return NaN;
    }
  }

  private ofArithmetic(call: CallExpr): Magnitude {
    const magnitude = this.unbounded(call);
    const areFinite = leavesOf(call).every((leaf) => !this.mayBeInfinite(leaf));
    return areFinite && !Number.isFinite(magnitude) ? Number.MAX_VALUE : magnitude;
  }

  private of(expr: Expr): Magnitude {
    if (!isFloat(expr.type)) return LARGEST_INT;
    let magnitude = this.known.get(expr);
    if (magnitude === undefined) {
      magnitude = this.ofFloat(expr);
      this.known.set(expr, magnitude);
    }
    return magnitude;
  }

  private ofFloat(expr: Expr): Magnitude {
    switch (expr.kind) {
      case 'literal':
        return Math.abs(Number(expr.value));
      case 'bound':
        return Math.abs(Number(expr.value.value));
      case 'column':
        return this.ofColumn(expr.relation, expr.name);
      case 'json-field':
        // JSON text may contain a number such as 1e999.
        return Infinity;
      case 'cast':
        return expr.operand.type.kind === 'STRING' ? NaN : this.of(expr.operand);
      case 'call':
        return this.ofCall(expr);
      case 'aggregate':
        return this.ofAggregate(expr);
      case 'case':
        return this.largest([...expr.branches.map(({ then }) => then), ...(expr.otherwise ? [expr.otherwise] : [])]);
      case 'array':
        return this.largest(expr.items);
      case 'lambda':
        return this.of(expr.body);
      case 'redacted':
        return this.of(expr.operand);
      case 'struct-field':
        return expr.base.kind === 'struct' ? this.of(itemAt(expr.base.fields, expr.index).expr) : NaN;
      case 'subquery':
        return expr.plan.value === null ? NaN : this.ofOutput(expr.plan, expr.plan.value);
      default:
        return NaN;
    }
  }

  /** Math.max returns NaN if any argument is NaN. */
  private largest(exprs: readonly Expr[]): Magnitude {
    return Math.max(0, ...exprs.map((expr) => this.of(expr)));
  }

  private ofColumn(id: number, name: string): Magnitude {
    const relation = this.relation(id);
    if (relation === undefined) return NaN;
    const opened = relation.unnests.find(({ element }) => element === name);
    if (opened !== undefined) return this.of(opened.list);
    const { input } = relation;
    switch (input.kind) {
      case 'scan':
        return isStoredAsNumber(input, name) ? Number.MAX_VALUE : NaN;
      case 'derived':
        return this.ofOutput(input.plan, name);
      case 'common-table':
        return input.table.recursion ? NaN : this.ofOutput(input.table.plan, name);
      case 'list':
        return this.of(input.list);
      case 'single-row':
        return NaN;
    }
  }

  private ofOutput({ body }: QueryPlan, name: string): Magnitude {
    if (body.kind === 'select') {
      const output = body.outputs.find((candidate) => candidate.name === name);
      return output === undefined ? NaN : this.of(output.expr);
    }
    const output = body.outputs.find((candidate) => candidate.name === name);
    const branches = output?.branchOutputs ?? [];
    return Math.max(0, ...body.branches.map((branch, index) => this.ofOutput(branch, branches[index] ?? '')));
  }

  private ofCall(call: CallExpr): Magnitude {
    const { fn, args } = call;
    if (isArithmetic(call)) return this.ofArithmetic(call);
    const [a = NaN, b = NaN] = args.map((arg) => this.of(arg));
    switch (fn) {
      case 'mod':
        return Number.isFinite(a) ? Math.min(a, b) : NaN;
      case 'abs':
      case 'nullif':
      case 'list_index':
      case 'list_filter':
        return a;
      case 'list_map':
        return b;
      case 'sign':
        return Number.isNaN(a) ? NaN : 1;
      case 'ceil':
      case 'floor':
      case 'round':
      case 'trunc':
        // Rounding can enlarge a number: 5 rounded to tens is 10.
        return Number.isFinite(a) ? Math.min(2 * a + 1, Number.MAX_VALUE) : a;
      case 'sqrt':
        return Math.max(a, 1);
      case 'ln':
      case 'log10':
        // Fails for numbers that are not positive.
        return Number.isFinite(a) ? 1000 : a;
      case 'coalesce':
      case 'greatest':
      case 'least':
      case 'array_concat':
      case 'array_reverse':
        return this.largest(args);
      default:
        return NaN;
    }
  }

  private ofAggregate({ fn, args, over }: AggregateExpr): Magnitude {
    const largest = this.largest(args);
    switch (fn) {
      case 'sum':
        // The sum of a group is tested for overflow; that of a window is not.
        return !Number.isFinite(largest) ? NaN : over === null ? Number.MAX_VALUE : Infinity;
      case 'avg':
        return args[0]?.type.kind === 'INT64' ? LARGEST_INT : Number.isFinite(largest) ? Infinity : NaN;
      case 'min':
      case 'max':
      case 'any_value':
      case 'quantile':
      case 'quantile_cont':
      case 'approx_quantiles':
      case 'array_agg':
      case 'first_value':
      case 'last_value':
      case 'nth_value':
      case 'lag':
      case 'lead':
        return largest;
      case 'max_by':
      case 'min_by':
        return this.largest(args.slice(0, 1));
      case 'stddev_samp':
      case 'stddev_pop':
      case 'var_samp':
      case 'var_pop':
        return Number.isFinite(largest) ? Infinity : NaN;
      case 'percent_rank':
      case 'cume_dist':
        return 1;
      default:
        return NaN;
    }
  }
}

function isFloat(type: Type): boolean {
  return type.kind === 'FLOAT64' || (type.kind === 'ARRAY' && type.element.kind === 'FLOAT64');
}

/** Smallest absolute value of a divisor that is not zero. */
function smallest(divisor: Expr | undefined): Magnitude {
  if (divisor?.kind === 'cast' && divisor.operand.type.kind === 'INT64') return 1;
  if (divisor?.kind === 'literal') return Math.abs(Number(divisor.value));
  return Number.MIN_VALUE;
}

/** False for a field that was once text: older rows are converted to numbers, and the text may be `nan`. */
function isStoredAsNumber({ parts }: ScanInput, name: string): boolean {
  return parts.every(({ columns, json }) => {
    const kinds = json?.storedAs.get(name) ?? [columns.get(name)];
    return kinds.every((kind) => kind === undefined || NUMBERS.has(kind));
  });
}

const NUMBERS: ReadonlySet<string> = new Set(['INT64', 'FLOAT64', 'BOOL', 'ARRAY<INT64>', 'ARRAY<FLOAT64>']);
