import React from 'react';
import { Field, SecretInput } from '@grafana/ui';
import { FixedSecret, TextField, ToggleField } from '../fields';
import { Section, summaryOf } from './Section';
import { settingChanges, type ConfigEditorProps } from '../setting-changes';

/** Login of a proxy in front of the service. */
export function BasicAuthSection(props: ConfigEditorProps) {
  const { basicAuth, basicAuthUser, readOnly } = props.options;
  const { setBasicAuth } = settingChanges(props);
  return (
    <Section
      title="Basic authentication"
      description="Needed where a proxy in front of the service asks for a user and a password. The access token is sent too."
      summary={summaryOf([basicAuth && (basicAuthUser ? `user ${basicAuthUser}` : 'no user')])}
    >
      <ToggleField
        id="lqe-basic"
        label="Use basic authentication"
        value={basicAuth}
        readOnly={readOnly}
        onChange={(isOn) => setBasicAuth({ basicAuth: isOn })}
      />
      {basicAuth && (
        <>
          <TextField
            id="lqe-basic-user"
            label="User"
            value={basicAuthUser}
            readOnly={readOnly}
            onChange={(user = '') => setBasicAuth({ basicAuthUser: user })}
          />
          <PasswordField {...props} />
        </>
      )}
    </Section>
  );
}

function PasswordField(props: ConfigEditorProps) {
  const { secureJsonData, secureJsonFields, readOnly } = props.options;
  const { setSecret, resetSecret } = settingChanges(props);
  return (
    <Field label="Password">
      {readOnly && secureJsonFields?.basicAuthPassword ? (
        <FixedSecret id="lqe-basic-password" />
      ) : (
        <SecretInput
          id="lqe-basic-password"
          autoComplete="new-password"
          isConfigured={Boolean(secureJsonFields?.basicAuthPassword)}
          value={secureJsonData?.basicAuthPassword ?? ''}
          disabled={readOnly}
          onChange={({ currentTarget }) => setSecret('basicAuthPassword', currentTarget.value)}
          onReset={() => resetSecret('basicAuthPassword')}
        />
      )}
    </Field>
  );
}
