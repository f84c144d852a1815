import { type RefObject, useEffect, useRef } from 'react';

/** Gives the keyboard's focus to a part that takes the place of the one that had it. */
export function useFocus<Part extends HTMLElement>(): RefObject<Part> {
  const place = useRef<Part>(null);
  useEffect(() => place.current?.focus(), []);
  return place;
}
