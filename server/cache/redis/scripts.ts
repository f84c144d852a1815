/** Lua scripts that Redis runs, each as one step. `generations` is the hash of the purge log. */

/**
 * Reads an entry.
 * KEYS: generations, entry. ARGV: saved query, maximum size.
 * Returns generation, remaining time in ms (-2 no entry, -3 invalid type or size), bytes.
 */
export const FIND = `
local generation = redis.call('HGET', KEYS[1], ARGV[1]) or ''
local size = redis.pcall('STRLEN', KEYS[2])
if type(size) ~= 'number' or size > tonumber(ARGV[2]) then return {generation, -3, ''} end
if size == 0 then return {generation, -2, ''} end
return {generation, redis.call('PTTL', KEYS[2]), redis.call('GET', KEYS[2])}`;

/** Remaining time that `FIND` returns for an absent entry. */
export const NO_ENTRY = -2;

/**
 * Writes an entry unless its saved query was purged since the run began.
 * KEYS: generations, entry. ARGV: saved query, generation when the run began, that of the entry, bytes, lifetime in ms.
 * Returns 1 when it wrote the entry, otherwise 0.
 */
export const KEEP = `
local generation = redis.call('HGET', KEYS[1], ARGV[1]) or ''
if generation ~= ARGV[2] then return 0 end
if generation == '' then redis.call('HSET', KEYS[1], ARGV[1], ARGV[3]) end
redis.call('SET', KEYS[2], ARGV[4], 'PX', ARGV[5])
return 1`;

/**
 * Deletes a claim of its owner.
 * KEYS: claim. ARGV: owner.
 */
export const RELEASE = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`;
