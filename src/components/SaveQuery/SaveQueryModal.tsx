import React, { useState } from 'react';
import { css } from '@emotion/css';
import { OrgRole, type GrafanaTheme2 } from '@grafana/data';
import { config } from '@grafana/runtime';
import {
  Alert,
  Button,
  Checkbox,
  Field,
  Input,
  LinkButton,
  LoadingPlaceholder,
  Modal,
  TextArea,
  useStyles2,
} from '@grafana/ui';
import { MAX_CACHE_SECONDS, MAX_NOTE_LENGTH, MAX_SAVED_ROWS, nameProblem } from '#contract/plugin/endpoint-name';
import type { EndpointSummary, ResourceError } from '#contract/plugin/resources';
import type { ComposedParameter, ComposeRequest } from '#contract/plugin/saving';
import type { SavedQuery } from '#contract/saved-query';
import { resourceFailure } from '../../api/resource-failure';
import type { LogEndpointsDataSource } from '../../datasource';
import { useAnswer } from '../../hooks/use-answer';
import { sayProblem } from '../../language/say-problem';
import { savedQueriesUrl } from '../../saving/links';
import { savedQueryOf } from '../../saving/saved-query-panel';
import { markedVariables, textVariables, variableParameters } from '../../saving/text-variables';
import type { LogEndpointsQuery } from '../../types';
import { FlexRow } from '../compat/Flex';
import { DefinitionPreview } from './DefinitionPreview';
import { useComposed } from './use-composed';

const DEFAULT_INTERVAL_MS = 60_000;

interface Props {
  readonly datasource: LogEndpointsDataSource;
  readonly query: LogEndpointsQuery;
  readonly endpoint: EndpointSummary;
  readonly intervalMs: number | undefined;
  readonly onUse: (changed: Partial<LogEndpointsQuery>) => void;
  readonly onDismiss: () => void;
}

interface Saved {
  readonly endpoint: SavedQuery;
  readonly parameters: readonly ComposedParameter[];
}

/** Form that makes a saved query of the text: name, limits, parameters, and the definition before it is saved. */
export function SaveQueryModal({ datasource, query, endpoint, intervalMs, onUse, onDismiss }: Props) {
  const styles = useStyles2(getStyles);
  const [name, setName] = useState('');
  // Undefined until the user changes it: then it is that of the saved query of the name, if there is one.
  const [description, setDescription] = useState<string>();
  const [note, setNote] = useState('');
  const [maxRows, setMaxRows] = useState<string>();
  const [cacheSeconds, setCacheSeconds] = useState<string>();
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set());
  const [round, setRound] = useState(0);
  const [isSaving, setSaving] = useState(false);
  const [failure, setFailure] = useState<ResourceError>();
  const [saved, setSaved] = useState<Saved>();
  const [requestId] = useState(newRequestId);

  const list = useAnswer(() => {
    datasource.catalog.forget();
    return datasource.catalog.endpoints();
  }, `${datasource.uid} ${round}`);
  const same = list.value?.find((each) => each.name === name);
  const variables = textVariables(query, datasource.variableFacts());
  const chosen = variables.filter(({ name: each, whyNot }) => whyNot === undefined && !kept.has(each));
  const isFile = same !== undefined && same.origin !== 'api';
  const known = isFile ? undefined : same;
  const rowsText = maxRows ?? String(known?.max_rows ?? query.maxRows ?? endpoint.max_rows);
  const cacheText = cacheSeconds ?? String(known?.cache_seconds ?? '');
  const descriptionText = description ?? known?.description ?? '';
  const rows = numberIn(rowsText, MAX_SAVED_ROWS);
  const seconds = cacheText.trim() === '' ? null : numberIn(cacheText, MAX_CACHE_SECONDS);
  const badName =
    nameProblem(name) ?? (isFile ? 'A file of the service has this name, and only the file changes it.' : undefined);
  const request = requestOf();
  const composed = useComposed(datasource.saving, request);
  const problem = composed.value?.problem ?? null;
  const canSave =
    badName === undefined && !list.isLoading && !composed.isLoading && composed.value !== undefined && problem === null;

  function requestOf(): ComposeRequest | undefined {
    if (rows === undefined || seconds === undefined) return undefined;
    const names = chosen.map((each) => each.name);
    const filled = datasource.applyTemplateVariables(query, markedVariables(names));
    return {
      endpoint: endpoint.id,
      mode: query.mode === 'lql' ? 'lql' : 'sql',
      text: (query.mode === 'lql' ? filled.lql : filled.sql) ?? '',
      filters: filled.filters ?? [],
      variables: variableParameters(names, query),
      intervalMs: intervalMs ?? DEFAULT_INTERVAL_MS,
      redactPii: query.redactPii === true || datasource.options.redactPii === true,
      // The text can be checked before it has a name.
      name: badName === undefined ? name : 'unnamed',
      description: descriptionText,
      maxRows: rows,
      cacheSeconds: seconds,
      ...(known ? { replaces: known.id } : {}),
    };
  }

  const save = async () => {
    if (!composed.value) return;
    const { definition, parameters } = composed.value;
    setSaving(true);
    setFailure(undefined);
    try {
      const change = { definition, note, ...(known ? { revision: known.revision } : { requestId }) };
      const result = await datasource.saving.save(known?.id, change);
      setSaved({ endpoint: result.endpoint, parameters });
    } catch (thrown) {
      setFailure(resourceFailure(thrown));
      setRound(round + 1);
    } finally {
      setSaving(false);
    }
  };

  if (saved) {
    return (
      <Modal isOpen title="Saved" onDismiss={onDismiss} className={styles.modal}>
        <Alert severity="success" title={`${saved.endpoint.name} is saved as revision ${saved.endpoint.revision}`}>
          “Use it in this panel” replaces the text by a call of the saved query, with the values of this panel.
        </Alert>
        <Modal.ButtonRow>
          {opensSettings() && (
            <LinkButton
              variant="secondary"
              icon="external-link-alt"
              target="_blank"
              href={savedQueriesUrl(datasource.uid)}
            >
              All saved queries
            </LinkButton>
          )}
          <Button variant="secondary" onClick={onDismiss}>
            Keep the text
          </Button>
          <Button onClick={() => onUse(savedQueryOf(saved.endpoint, saved.parameters, query))}>
            Use it in this panel
          </Button>
        </Modal.ButtonRow>
      </Modal>
    );
  }
  return (
    <Modal isOpen title="Save as saved query" onDismiss={onDismiss} className={styles.modal}>
      <div className={styles.columns}>
        <div>
          <Field
            label="Name"
            description="It is called as /api/endpoints/query/<name>."
            invalid={name !== '' && badName !== undefined}
            error={badName}
          >
            <Input
              id="lqe-save-name"
              value={name}
              placeholder="edge.slow-requests"
              onChange={({ currentTarget }) => setName(currentTarget.value.trim())}
            />
          </Field>
          {known && (
            <p role="status" className={styles.status}>
              {known.name} is at revision {known.revision}. Saving makes it revision {known.revision + 1}.
            </p>
          )}
          <Field label="Description">
            <TextArea
              id="lqe-save-description"
              rows={2}
              value={descriptionText}
              onChange={({ currentTarget }) => setDescription(currentTarget.value)}
            />
          </Field>
          <FlexRow>
            <Field
              label="Maximum rows"
              invalid={rows === undefined}
              error={`A whole number from 1 to ${MAX_SAVED_ROWS.toLocaleString('en-US')}.`}
            >
              <Input
                id="lqe-save-rows"
                width={16}
                value={rowsText}
                onChange={({ currentTarget }) => setMaxRows(currentTarget.value)}
              />
            </Field>
            <Field
              label="Cache"
              invalid={seconds === undefined}
              error={`Empty, or 1 to ${MAX_CACHE_SECONDS.toLocaleString('en-US')} seconds.`}
            >
              <Input
                id="lqe-save-cache"
                width={16}
                value={cacheText}
                placeholder="none"
                suffix="s"
                onChange={({ currentTarget }) => setCacheSeconds(currentTarget.value)}
              />
            </Field>
          </FlexRow>
          <Field label="Note" description="For the history; your login is added.">
            <Input
              id="lqe-save-note"
              value={note}
              maxLength={MAX_NOTE_LENGTH}
              onChange={({ currentTarget }) => setNote(currentTarget.value)}
            />
          </Field>
          {variables.length > 0 && (
            <Field label="Variables" description="A variable that is no parameter keeps the value it has now.">
              <div>
                {variables.map(({ name: each, whyNot }) => (
                  <Checkbox
                    key={each}
                    label={`$${each} becomes a parameter`}
                    description={whyNot && `Not possible: ${whyNot}.`}
                    disabled={whyNot !== undefined}
                    value={whyNot === undefined && !kept.has(each)}
                    onChange={() => setKept(toggled(kept, each))}
                  />
                ))}
              </div>
            </Field>
          )}
        </div>
        <div>
          <div className={styles.heading}>Definition</div>
          {composed.failure && (
            <Alert severity="error" title="This text cannot be saved">
              {sayProblem(composed.failure)}
            </Alert>
          )}
          {!composed.value && composed.isLoading && <LoadingPlaceholder text="Checking the definition…" />}
          {composed.value && (
            <>
              <DefinitionPreview
                sql={composed.value.definition.query.trimEnd()}
                label="Query of the definition"
                height={260}
                problem={problem}
              />
              <p className={styles.status}>
                {composed.value.parameters.length === 0 ? 'No parameters.' : 'Parameters: '}
                {composed.value.parameters.map(({ name: each, required }, at) => (
                  <React.Fragment key={each}>
                    {at > 0 && ', '}
                    <code>{each}</code>
                    {!required && ' (optional)'}
                  </React.Fragment>
                ))}
              </p>
              {composed.value.notes.map((each) => (
                <p key={each} className={styles.note}>
                  {each}
                </p>
              ))}
            </>
          )}
        </div>
      </div>
      {failure && (
        <Alert severity="error" title="It is not saved">
          {sayProblem(failure)}
        </Alert>
      )}
      <Modal.ButtonRow>
        <Button variant="secondary" fill="outline" onClick={onDismiss}>
          Cancel
        </Button>
        <Button icon={isSaving ? 'fa fa-spinner' : 'save'} disabled={!canSave || isSaving} onClick={() => void save()}>
          {known ? `Save revision ${known.revision + 1}` : 'Save'}
        </Button>
      </Modal.ButtonRow>
    </Modal>
  );
}

/** Grafana opens the settings of data sources for Admins, unless its permissions are changed. */
function opensSettings(): boolean {
  return config.bootData?.user?.orgRole === OrgRole.Admin;
}

/** Grafana may be served without TLS, where browsers have no `randomUUID`. */
function newRequestId(): string {
  return `${Date.now()}-${Math.random()}`;
}

function numberIn(text: string, max: number): number | undefined {
  const value = Number(text);
  return /^\d+$/.test(text.trim()) && value >= 1 && value <= max ? value : undefined;
}

function toggled(set: ReadonlySet<string>, value: string): ReadonlySet<string> {
  const next = new Set(set);
  if (!next.delete(value)) next.add(value);
  return next;
}

function getStyles(theme: GrafanaTheme2) {
  return {
    modal: css({ width: 'min(1100px, 95vw)' }),
    columns: css({
      display: 'grid',
      gridTemplateColumns: 'minmax(0, 2fr) minmax(0, 3fr)',
      gap: theme.spacing(3),
      [theme.breakpoints.down('md')]: { gridTemplateColumns: 'minmax(0, 1fr)' },
    }),
    heading: css({ fontWeight: theme.typography.fontWeightMedium, marginBottom: theme.spacing(0.5) }),
    status: css({ color: theme.colors.text.secondary, margin: theme.spacing(1, 0) }),
    note: css({ color: theme.colors.warning.text, margin: theme.spacing(0.5, 0) }),
  };
}
