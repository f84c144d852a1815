/** Functions that callers may expect: of GoogleSQL, which the registry lacks, and of other dialects. */

export interface MissingFunction {
  /** Whether GoogleSQL has it. */
  readonly isGoogleSql: boolean;
  /** What to write instead. */
  readonly hint: string;
}

const BUILD_JSON = 'build the value with JSON_OBJECT and JSON_ARRAY';
const HASH = 'not every store has it; use SHA256(x) or SHA1(x)';
const SUFFIXES = 'there is no list of public suffixes; use NET.HOST(url)';

/** By what to write instead. Sources: the function lists of GoogleSQL and BigQuery. */
const OF_GOOGLESQL: Readonly<Record<string, readonly string[]>> = {
  [BUILD_JSON]: ['JSON_SET', 'JSON_REMOVE', 'JSON_STRIP_NULLS', 'JSON_ARRAY_APPEND', 'JSON_ARRAY_INSERT'],
  [HASH]: ['SHA512'],
  "not every store has it; for a number use CAST(CONCAT('0x', LEFT(TO_HEX(SHA256(x)), 15)) AS INT64)": [
    'FARM_FINGERPRINT',
  ],
  'not every store has it; use TO_BASE64(x) or TO_HEX(x)': ['TO_BASE32'],
  'not every store has it; use FROM_BASE64(x) or FROM_HEX(x)': ['FROM_BASE32'],
  [SUFFIXES]: ['NET.REG_DOMAIN', 'NET.PUBLIC_SUFFIX'],
  'use LOWER(NORMALIZE(x))': ['NORMALIZE_AND_CASEFOLD'],
  'use ARRAY_TRANSFORM(JSON_QUERY_ARRAY(json), e -> INT64(e)), or STRING, BOOL, FLOAT64': [
    'INT64_ARRAY',
    'FLOAT64_ARRAY',
    'BOOL_ARRAY',
    'STRING_ARRAY',
    'LAX_INT64_ARRAY',
    'LAX_FLOAT64_ARRAY',
    'LAX_BOOL_ARRAY',
    'LAX_STRING_ARRAY',
  ],
  'use APPROX_COUNT_DISTINCT(x)': ['HLL_COUNT.INIT', 'HLL_COUNT.MERGE', 'HLL_COUNT.EXTRACT'],
  'use CAST(x AS FLOAT64)': ['PARSE_NUMERIC', 'PARSE_BIGNUMERIC'],
  'use TIMESTAMP_SECONDS, TIMESTAMP_MILLIS or TIMESTAMP_MICROS': [
    'TIMESTAMP_FROM_UNIX_SECONDS',
    'TIMESTAMP_FROM_UNIX_MILLIS',
    'TIMESTAMP_FROM_UNIX_MICROS',
  ],
  'use 1 / TAN(x)': ['COT'],
  'use 1 / TANH(x)': ['COTH'],
  'use 1 / SIN(x)': ['CSC'],
  'use 1 / SINH(x)': ['CSCH'],
  'use 1 / COS(x)': ['SEC'],
  'use 1 / COSH(x)': ['SECH'],
  'compare texts with =, LIKE, CONTAINS_SUBSTR and REGEXP_CONTAINS': ['EDIT_DISTANCE', 'SOUNDEX'],
  "compare JSON_VALUE(x, '$.name') with the value, or use JSON_VALUE_ARRAY": ['JSON_CONTAINS'],
  'use JSON_QUERY_ARRAY(x)': ['JSON_FLATTEN'],
  'write a parameter for it': ['SESSION_USER'],
};

/** By what GoogleSQL has instead. */
const OF_OTHERS: Readonly<Record<string, readonly string[]>> = {
  'use CURRENT_TIMESTAMP()': [
    'CLOCK_TIMESTAMP',
    'LOCALTIMESTAMP',
    'SYSDATETIME',
    'UTC_TIMESTAMP',
    'NOW',
    'NOW64',
    'GETDATE',
    'SYSDATE',
  ],
  'use FORMAT_TIMESTAMP(format, x)': ['TO_CHAR', 'DATE_FORMAT', 'STRFTIME', 'FORMATDATETIME', 'FORMAT_DATE_TIME'],
  'use PARSE_TIMESTAMP(format, x)': ['TO_TIMESTAMP', 'TO_DATE', 'STR_TO_DATE', 'STRPTIME', 'PARSEDATETIME'],
  'use EXTRACT(unit FROM x)': [
    'DATE_PART',
    'DATEPART',
    'YEAR',
    'MONTH',
    'DAY',
    'HOUR',
    'MINUTE',
    'SECOND',
    'DAYOFWEEK',
  ],
  'use TIMESTAMP_DIFF(later, earlier, unit)': ['DATEDIFF', 'TIMESTAMPDIFF', 'AGE'],
  'use TIMESTAMP_ADD(x, INTERVAL n unit)': ['DATEADD', 'TIMESTAMPADD'],
  'use TIMESTAMP_BUCKET(x, INTERVAL n unit)': [
    'TOSTARTOFINTERVAL',
    'TOSTARTOFFIVEMINUTES',
    'TOSTARTOFFIVEMINUTE',
    'TOSTARTOFTENMINUTES',
    'TOSTARTOFFIFTEENMINUTES',
    'BIN',
    'TIME_BUCKET',
    'DATE_BIN',
    'TUMBLE',
    'DATE_HISTOGRAM',
  ],
  'use UNIX_SECONDS(x)': ['TO_UNIXTIME', 'UNIX_TIMESTAMP', 'EPOCH', 'TOUNIXTIMESTAMP'],
  'use TIMESTAMP_SECONDS(x)': ['FROM_UNIXTIME'],
  'use IFNULL(x, y)': ['NVL', 'ISNULL'],
  'use IF(condition, x, y)': ['IIF'],
  'use LENGTH(x)': ['STRLEN', 'LEN', 'LENGTHUTF8'],
  "compare x with ''": ['EMPTY', 'NOTEMPTY'],
  'write LIMIT n at the end of the query': ['TOP'],
  'use CONTAINS_SUBSTR(x, part)': ['CONTAINS', 'SEARCH', 'ICONTAINS', 'HASTOKEN', 'MULTISEARCHANY'],
  'use TIMESTAMP(x)': ['TODATETIME', 'TODATETIME64', 'PARSEDATETIMEBESTEFFORT', 'PARSEDATETIME64BESTEFFORT'],
  'use DATE(x)': ['TODATE'],
  'use TIMESTAMP_SUB(x, INTERVAL n unit)': ['SUBTRACTMINUTES', 'SUBTRACTHOURS', 'SUBTRACTDAYS', 'DATESUB'],
  'write INTERVAL n unit': ['TOINTERVALMINUTE', 'TOINTERVALHOUR', 'TOINTERVALDAY'],
  'use GENERATE_ARRAY(a, b), or GENERATE_TIMESTAMP_ARRAY(a, b, INTERVAL n unit)': ['GENERATE_SERIES', 'RANGE'],
  'use TO_JSON_STRING(ARRAY_AGG(x))': ['JSON_AGG', 'JSONB_AGG', 'JSON_ARRAYAGG', 'JSON_GROUP_ARRAY'],
  'use CROSS JOIN UNNEST(JSON_QUERY_ARRAY(x)) AS name': ['JSONB_ARRAY_ELEMENTS', 'JSON_ARRAY_ELEMENTS', 'JSON_EACH'],
  'open the records with CROSS JOIN UNNEST(metadata) AS m, and read m.name': ['MAPCONTAINS', 'MAPKEYS', 'MAPVALUES'],
  'use LOWER(x)': ['LCASE', 'LOWERUTF8'],
  'use UPPER(x)': ['UCASE', 'UPPERUTF8'],
  'use STRPOS(x, part)': ['CHARINDEX', 'POSITION', 'LOCATE', 'POSITIONCASEINSENSITIVE'],
  'use STRING_AGG(x, separator)': ['GROUP_CONCAT', 'LISTAGG'],
  'use ARRAY_AGG(x)': ['COLLECT_LIST', 'GROUPARRAY', 'LIST'],
  'use SPLIT(x, separator)[SAFE_OFFSET(n)]': ['SPLIT_PART'],
  "use JSON_VALUE(x, '$.name')": [
    'JSONEXTRACTINT',
    'JSONEXTRACTFLOAT',
    'JSONEXTRACTRAW',
    'SIMPLEJSONEXTRACTSTRING',
    'JSON_EXTRACT_PATH_TEXT',
    'JSON_EXTRACT_STRING',
    'JSONEXTRACTSTRING',
    'GET_JSON_OBJECT',
  ],
  'use REGEXP_CONTAINS(x, pattern)': ['REGEXP_LIKE', 'REGEXP_MATCH', 'REGEXP_MATCHES', 'RLIKE', 'MATCH'],
  'use APPROX_QUANTILES(x, 100)[OFFSET(95)], or PERCENTILE_CONT(x, 0.95)': [
    'APPROX_PERCENTILE',
    'P50',
    'P75',
    'P90',
    'P95',
    'P99',
    'QUANTILE_CONT',
    'QUANTILEEXACT',
    'QUANTILE',
    'PERCENTILE',
    'PERCENTILE_APPROX',
  ],
  'use APPROX_COUNT_DISTINCT(x)': ['UNIQ', 'APPROX_DISTINCT'],
  'use LOGICAL_AND(x)': ['BOOL_AND', 'EVERY'],
  'use LOGICAL_OR(x)': ['BOOL_OR'],
  'use RAND()': ['RANDOM'],
  'use GENERATE_UUID()': ['UUID', 'GEN_RANDOM_UUID'],
  'use TYPEOF(x)': ['PG_TYPEOF', 'TOTYPENAME'],
  'use TIMESTAMP_TRUNC(x, unit)': [
    'TOSTARTOFDAY',
    'TOSTARTOFHOUR',
    'TOSTARTOFMINUTE',
    'TOSTARTOFMONTH',
    'TOSTARTOFSECOND',
    'TOSTARTOFWEEK',
    'TOSTARTOFYEAR',
  ],
  'use APPROX_QUANTILES(x, 2)[OFFSET(1)], or PERCENTILE_CONT(x, 0.5)': ['MEDIAN'],
  'use x[SAFE_OFFSET(n - 1)]': ['ELEMENT_AT', 'ARRAYELEMENT', 'ARRAY_EXTRACT', 'LIST_ELEMENT'],
  'use ARRAY_TO_STRING(x, separator)': ['ARRAY_JOIN', 'ARRAYSTRINGCONCAT'],
  'use SPLIT(x, separator)': ['STRING_SPLIT', 'STRING_TO_ARRAY', 'STR_SPLIT', 'SPLITBYCHAR', 'SPLITBYSTRING'],
  'use SPLIT_SUBSTR(x, separator, 1, n)': ['SUBSTRING_INDEX'],
  'use DATETIME(x, zone)': ['CONVERT_TIMEZONE', 'FROM_UTC_TIMESTAMP', 'TIMEZONE', 'TOTIMEZONE'],
  'use CAST(x AS type), or SAFE_CAST(x AS type)': [
    'TRY_CAST',
    'TO_NUMBER',
    'TOFLOAT64',
    'TOINT64',
    'TOSTRING',
    'TONUMBER',
    'TODOUBLE',
    'TOINT',
    'TOINT32',
    'TOINT32ORZERO',
    'TOINT32ORNULL',
    'TOINT64ORZERO',
    'TOINT64ORNULL',
    'TOUINT16',
    'TOUINT32',
    'TOUINT64',
    'TOFLOAT64ORZERO',
    'TOFLOAT64ORNULL',
    'TO_INT',
  ],
  'use MAX_BY(x, y)': ['ARG_MAX', 'ARGMAX'],
  'use MIN_BY(x, y)': ['ARG_MIN', 'ARGMIN'],
  'use COUNT(DISTINCT x)': ['UNIQEXACT', 'COUNT_DISTINCT', 'DCOUNT'],
  'use APPROX_TOP_COUNT(x, n)': ['TOPK', 'TOP_K', 'APPROX_TOP_K'],
  'use ARRAY_INCLUDES(array, x), or x IN UNNEST(array)': ['ARRAY_CONTAINS', 'ARRAY_HAS', 'HAS', 'LIST_CONTAINS'],
  'use ARRAY_LENGTH(x)': ['ARRAY_SIZE', 'CARDINALITY'],
  'use CROSS JOIN UNNEST(x) AS name': ['EXPLODE'],
  'use TRIM(x)': ['BTRIM'],
  'use CURRENT_DATE()': ['CURDATE', 'TODAY'],
  'use UNIX_MILLIS(x)': ['EPOCH_MS'],
  'use JSON_OBJECT(name, value, ..)': ['JSON_BUILD_OBJECT', 'JSONB_BUILD_OBJECT'],
  'use TO_JSON(x)': ['TO_JSONB', 'ROW_TO_JSON'],
  'use CASE WHEN condition THEN x ELSE y END': ['MULTIIF', 'DECODE'],
  'use LOG(x, 2)': ['LOG2'],
  'use COUNTIF(condition)': ['COUNT_IF', 'SUM_IF'],
  'use TO_HEX(x)': ['HEX'],
  'use REGEXP_REPLACE(x, pattern, text)': ['REPLACEREGEXPALL', 'REPLACEREGEXPONE'],
};

const byName: ReadonlyMap<string, MissingFunction> = new Map([
  ...entries(OF_OTHERS, false),
  ...entries(OF_GOOGLESQL, true),
]);

/** @param name in upper case, as in calls */
export function missingFunction(name: string): MissingFunction | undefined {
  return byName.get(name);
}

/** All names, for tests. */
export function missingFunctionNames(): readonly string[] {
  return [...byName.keys()];
}

function entries(table: typeof OF_OTHERS, isGoogleSql: boolean): (readonly [string, MissingFunction])[] {
  return Object.entries(table).flatMap(([hint, names]) => names.map((name) => [name, { isGoogleSql, hint }] as const));
}
