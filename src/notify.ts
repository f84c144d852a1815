import { AppEvents } from '@grafana/data';
import { getAppEvents } from '@grafana/runtime';

/** A notice at the edge of the host's page: for what was asked for and cannot be done. */
export function warn(title: string, text: string): void {
  getAppEvents().publish({ type: AppEvents.alertWarning.name, payload: [title, text] });
}
