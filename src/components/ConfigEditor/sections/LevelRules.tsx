import React from 'react';
import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Button, Field, Input, RadioButtonGroup, useStyles2 } from '@grafana/ui';
import type { LevelRule } from '../../../types';
import { FlexRow } from '../../compat/Flex';
import { Picker } from '../../compat/Picker';

interface Props {
  /** Undefined: the default rules. */
  readonly rules: readonly LevelRule[] | undefined;
  readonly readOnly: boolean | undefined;
  readonly onChange: (rules: LevelRule[] | undefined) => void;
}

const LEVELS = (['critical', 'error', 'warning', 'info', 'debug', 'trace'] as const).map((each) => ({
  value: each,
  label: each,
}));
const OPERATORS: Array<{ value: LevelRule['operator']; label: string }> = [
  { value: '=', label: '=' },
  { value: '>=', label: '≥' },
];
const KINDS = [
  { value: 'default', label: 'Default' },
  { value: 'custom', label: 'Custom' },
  { value: 'none', label: 'None' },
] as const;
type Kind = (typeof KINDS)[number]['value'];

const FIRST_RULE: LevelRule = { field: 'response.status_code', operator: '>=', value: '500', level: 'error' };

/**
 * Editor of the rules that map field values to log levels. The rules are outside of the field, because one field would
 * merge their radio groups.
 */
export function LevelRules({ rules, readOnly, onChange }: Props) {
  const styles = useStyles2(getStyles);
  const kind: Kind = rules === undefined ? 'default' : rules.length === 0 ? 'none' : 'custom';
  const pick = (picked: Kind) => {
    if (picked !== kind) onChange(picked === 'default' ? undefined : picked === 'none' ? [] : [FIRST_RULE]);
  };
  const change = (at: number, changed: Partial<LevelRule>) =>
    onChange((rules ?? []).map((rule, place) => (place === at ? { ...rule, ...changed } : rule)));
  return (
    <>
      <Field
        label="Level rules"
        description="Default, for lines without a level of their own: a status of 500 or more is an error, of 400 or more a warning, any other info; PostgreSQL LOG and NOTICE are info, FATAL and PANIC critical. Custom rules come before a line's own level, and the first that holds decides."
      >
        <RadioButtonGroup
          aria-label="Level rules"
          options={[...KINDS]}
          value={kind}
          disabled={readOnly}
          onChange={pick}
        />
      </Field>
      {(rules ?? []).map((rule, at) => (
        <RuleFields
          key={at}
          at={at}
          rule={rule}
          readOnly={readOnly}
          onChange={(changed) => change(at, changed)}
          onRemove={() => onChange((rules ?? []).filter((_, place) => place !== at))}
        />
      ))}
      {kind === 'custom' && (
        <div className={styles.add}>
          <Button
            variant="secondary"
            icon="plus"
            disabled={readOnly}
            onClick={() => onChange([...(rules ?? []), { field: '', operator: '=', value: '', level: 'error' }])}
          >
            Add rule
          </Button>
        </div>
      )}
    </>
  );
}

interface RuleProps {
  readonly at: number;
  readonly rule: LevelRule;
  readonly readOnly: boolean | undefined;
  readonly onChange: (changed: Partial<LevelRule>) => void;
  readonly onRemove: () => void;
}

function RuleFields({ at, rule, readOnly, onChange, onRemove }: RuleProps) {
  const styles = useStyles2(getStyles);
  const problem = ruleProblem(rule);
  const name = (what: string) => `${what} of rule ${at + 1}`;
  return (
    <fieldset className={styles.rule} aria-label={`Level rule ${at + 1}`} disabled={readOnly}>
      <FlexRow align="center">
        <Input
          aria-label={name('Field')}
          width={28}
          placeholder="response.status_code"
          value={rule.field}
          onChange={({ currentTarget }) => onChange({ field: currentTarget.value })}
        />
        <RadioButtonGroup
          aria-label={name('Operator')}
          options={OPERATORS}
          value={rule.operator}
          onChange={(operator) => onChange({ operator })}
        />
        <Input
          aria-label={name('Value')}
          width={14}
          value={rule.value}
          onChange={({ currentTarget }) => onChange({ value: currentTarget.value })}
        />
        <Picker
          id={`lqe-level-rule-${at}`}
          aria-label={name('Level')}
          width={16}
          options={LEVELS}
          value={rule.level}
          onChange={(level) => onChange({ level })}
        />
        <Button variant="secondary" icon="trash-alt" aria-label={`Remove level rule ${at + 1}`} onClick={onRemove} />
      </FlexRow>
      {problem && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
    </fieldset>
  );
}

function ruleProblem({ field, operator, value }: LevelRule): string | undefined {
  if (field.trim() === '') return 'Write a field.';
  if (value.trim() === '') return 'Write a value.';
  return operator === '>=' && !Number.isFinite(Number(value)) ? '≥ compares numbers: write a number.' : undefined;
}

function getStyles(theme: GrafanaTheme2) {
  return {
    rule: css({ border: 0, padding: 0, margin: theme.spacing(1, 0), minWidth: 0 }),
    add: css({ marginBottom: theme.spacing(2) }),
    problem: css({ color: theme.colors.error.text, margin: theme.spacing(0.5, 0, 0) }),
  };
}
