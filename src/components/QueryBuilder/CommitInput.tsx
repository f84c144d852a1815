import React, { useState } from 'react';
import { Input } from '@grafana/ui';

interface Props {
  readonly id: string;
  readonly 'aria-label'?: string;
  readonly value: string;
  readonly width: number;
  readonly placeholder?: string;
  readonly type?: 'number';
  /** Called with a changed text on blur or Enter. */
  readonly onCommit: (text: string) => void;
}

/** Input that reports changes on blur or Enter only. */
export function CommitInput({ value, onCommit, ...rest }: Props) {
  const [typed, setTyped] = useState<string>();
  const commit = () => {
    if (typed !== undefined && typed !== value) onCommit(typed);
    setTyped(undefined);
  };
  return (
    <Input
      {...rest}
      value={typed ?? value}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={commit}
      onKeyDown={({ key }) => key === 'Enter' && commit()}
    />
  );
}
