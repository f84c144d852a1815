/** Fictional projects of the sample logs. */

export interface SampleProject {
  /** Twenty lower-case letters; also the first label of the project's host name. */
  readonly ref: string;
  readonly host: string;
  /** Share of all traffic. */
  readonly weight: number;
  /** UTC hour of the busiest time of the day. */
  readonly peakHour: number;
  readonly tables: readonly string[];
  readonly buckets: readonly string[];
  readonly functions: readonly SampleFunction[];
}

export interface SampleFunction {
  readonly name: string;
  readonly id: string;
}

export const SAMPLE_PROJECTS: readonly SampleProject[] = [
  project(
    'acornharvestplatform',
    38,
    14,
    'orders order_items growers deliveries invoices',
    'receipts photos',
    'send-invoice plan-route'
  ),
  project(
    'bluelanternbookstore',
    27,
    19,
    'books authors reviews carts wishlists',
    'covers samples',
    'checkout recommend'
  ),
  project(
    'copperkettlekitchens',
    18,
    11,
    'recipes ingredients menus bookings',
    'photos menus',
    'book-table print-menu'
  ),
  project('driftwoodsurfreports', 11, 6, 'spots reports swells alerts', 'webcams', 'fetch-swell notify'),
  project('evergreentrailguides', 6, 22, 'trails hikes huts bookings', 'maps photos', 'render-map'),
];

function project(
  ref: string,
  weight: number,
  peakHour: number,
  tables: string,
  buckets: string,
  functions: string
): SampleProject {
  return {
    ref,
    host: `${ref}.example.com`,
    weight,
    peakHour,
    tables: tables.split(' '),
    buckets: buckets.split(' '),
    functions: functions.split(' ').map((name, place) => ({ name, id: functionId(ref, place) })),
  };
}

/** A fixed UUID per function. */
function functionId(ref: string, place: number): string {
  const letters = [...ref].map((letter) => letter.charCodeAt(0).toString(16).padStart(2, '0')).join('');
  return `${letters.slice(0, 8)}-0000-4000-8000-${letters.slice(8, 18)}0${place + 1}`;
}
