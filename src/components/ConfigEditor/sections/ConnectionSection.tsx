import React, { useId, useState } from 'react';
import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Button, Field, Input, SecretInput, useStyles2 } from '@grafana/ui';
import { FlexRow } from '../../compat/Flex';
import { FixedSecret, NumberField } from '../fields';
import { settingChanges, type ConfigEditorProps } from '../setting-changes';
import { mendedUrl, tidyUrl, urlProblem } from '../url-problem';

const DEFAULT_TIMEOUT_SECONDS = 30;

export function ConnectionSection(props: ConfigEditorProps) {
  const { options } = props;
  const { setOptions } = settingChanges(props);
  const styles = useStyles2(getStyles);
  const headingId = useId();
  return (
    <section className={styles.section} aria-labelledby={headingId}>
      <h3 id={headingId}>Connection</h3>
      <UrlField {...props} />
      <TokenField {...props} />
      <NumberField
        id="lqe-timeout"
        label="Timeout"
        description="Seconds until a query is given up."
        placeholder={String(DEFAULT_TIMEOUT_SECONDS)}
        suffix="s"
        max={600}
        value={options.jsonData.timeout}
        readOnly={options.readOnly}
        onChange={(timeout) => setOptions({ timeout })}
      />
    </section>
  );
}

/** Corrects a URL that has the path of a route or of a page of the console, and lets the user undo that. */
function UrlField(props: ConfigEditorProps) {
  const { url, readOnly } = props.options;
  const { setUrl } = settingChanges(props);
  const styles = useStyles2(getStyles);
  const [isTouched, setTouched] = useState(false);
  const problem = isTouched || url ? urlProblem(url) : undefined;
  // The URL before its automatic correction.
  const [written, setWritten] = useState<string>();
  const mended = mendedUrl(url);
  return (
    <>
      <Field
        label="URL"
        required
        invalid={problem !== undefined}
        error={problem}
        description="As seen from Grafana's server, without /api."
      >
        <Input
          id="lqe-url"
          type="url"
          placeholder="http://localhost:8080"
          value={url}
          disabled={readOnly}
          onChange={({ currentTarget }) => {
            setWritten(undefined);
            setUrl(currentTarget.value);
          }}
          onBlur={() => {
            setTouched(true);
            // Corrects once: a user who restores the URL means it.
            if (mended !== undefined && written === undefined) setWritten(url);
            const next = written === undefined ? (mended ?? tidyUrl(url)) : url;
            if (next !== url) setUrl(next);
          }}
        />
      </Field>
      {written !== undefined && written !== url && (
        <div role="status" className={styles.note}>
          <FlexRow align="center">
            The URL is that of the service: the path of a route or a page was left out.
            <Button size="sm" variant="secondary" fill="text" onClick={() => setUrl(written)}>
              Put it back
            </Button>
          </FlexRow>
        </div>
      )}
      {mended !== undefined && !readOnly && (
        <div className={styles.note}>
          <Button size="sm" variant="secondary" onClick={() => setUrl(mended)}>
            {`Change it to ${mended}`}
          </Button>
        </div>
      )}
    </>
  );
}

function TokenField(props: ConfigEditorProps) {
  const { secureJsonData, secureJsonFields, readOnly } = props.options;
  const { setSecret, resetSecret } = settingChanges(props);
  return (
    <Field label="Access token" required description="Made with: lqe token create --name grafana">
      {readOnly && secureJsonFields?.apiKey ? (
        <FixedSecret id="lqe-token" />
      ) : (
        <SecretInput
          id="lqe-token"
          placeholder="lqe_…"
          autoComplete="new-password"
          isConfigured={Boolean(secureJsonFields?.apiKey)}
          value={secureJsonData?.apiKey ?? ''}
          disabled={readOnly}
          onChange={({ currentTarget }) => setSecret('apiKey', currentTarget.value.trim())}
          onReset={() => resetSecret('apiKey')}
        />
      )}
    </Field>
  );
}

function getStyles(theme: GrafanaTheme2) {
  return {
    section: css({ maxWidth: theme.spacing(90), margin: theme.spacing(0, 0, 2) }),
    note: css({ margin: theme.spacing(-1, 0, 2), color: theme.colors.text.secondary }),
  };
}
