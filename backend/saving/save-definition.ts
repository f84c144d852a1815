/** Creates and changes saved queries with the data source's token; the note says which user of Grafana did it. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { MAX_NOTE_LENGTH } from '#contract/plugin/endpoint-name';
import type { SavedResource } from '#contract/plugin/saving';
import type { ResourceCall } from '../resources/resource-call';
import { PluginError } from '../service-client/failures/plugin-error';
import { ensureEditor } from './ensure-editor';

const MAX_LOGIN = 100;

const bodySchema = z.object({
  definition: z.record(z.string(), z.unknown()),
  note: z.string().max(MAX_NOTE_LENGTH).default(''),
  revision: z.int().min(1).optional(),
  requestId: z.string().min(1).max(100).optional(),
});

export async function createSavedQuery(call: ResourceCall): Promise<SavedResource> {
  const { definition, message, requestId } = readChange(call);
  // A request id of one user does not answer another's request.
  const owner = `${call.orgId}/${call.user?.login ?? ''}/${requestId ?? call.newId()}`;
  const idempotencyKey = createHash('sha256').update(owner).digest('hex');
  return { endpoint: await call.instance.client.create({ definition, message, idempotencyKey }, call.ctx) };
}

export function replaceSavedQuery(method: 'PUT' | 'PATCH') {
  return async (call: ResourceCall): Promise<SavedResource> => {
    const { definition, message, revision } = readChange(call);
    if (revision === undefined)
      throw new PluginError('body_invalid', 'The body must name the revision that is changed.', { status: 400 });
    try {
      const change = { definition, message, revision };
      return { endpoint: await call.instance.client.replace(method, call.argument, change, call.ctx) };
    } catch (error) {
      if (error instanceof PluginError && error.code === 'revision_conflict') throw await conflict(call, error);
      throw error;
    }
  };
}

function readChange(call: ResourceCall) {
  const user = ensureEditor(call.user);
  const parsed = bodySchema.safeParse(call.body());
  if (!parsed.success)
    throw new PluginError(
      'body_invalid',
      `The body must have a definition and a note of ${MAX_NOTE_LENGTH} characters.`,
      {
        status: 400,
      }
    );
  const { note, ...rest } = parsed.data;
  // First what the backend knows, so that a note cannot pass for it.
  const author = `saved in Grafana by ${plain(user.login)} (organization ${call.orgId})`;
  return { ...rest, message: note.trim() === '' ? author : `${author}: ${note.trim()}` };
}

/** Logins are free text in Grafana. */
function plain(login: string): string {
  return login.replace(/[\p{C}()]/gu, '').slice(0, MAX_LOGIN) || 'a user without a login';
}

/** Adds who made the newest revision. */
async function conflict({ instance, ctx, argument }: ResourceCall, error: PluginError): Promise<PluginError> {
  const { revisions } = await instance.client.revisions(argument, { limit: 1, cursor: null }, ctx).catch(() => ({
    revisions: [],
  }));
  const [newest] = revisions;
  if (!newest) return error;
  const by = newest.by.token_name ?? newest.by.database_user ?? 'the command line';
  const note = newest.message ? `: ${newest.message}` : '';
  return new PluginError(error.code, error.message, {
    ...error.facts,
    hint: `revision ${newest.revision} was made ${newest.time} with ${by}${note}`,
  });
}
