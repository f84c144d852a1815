/** A text of an event: what changes its direction is a mark, since a sender may hide in it what an event says. */
import { Fragment, type ReactNode } from 'react';
import { REVERSING_TITLE, splitAtReversing } from '../../texts/reversing';

export function ValueText({ text }: { readonly text: string }): ReactNode {
  const parts = splitAtReversing(text);
  if (parts.length === 1) return text;
  return parts.map((part, at) => (
    <Fragment key={at}>
      {at > 0 && (
        <span className="reversing" title={REVERSING_TITLE}>
          •
        </span>
      )}
      {part}
    </Fragment>
  ));
}
