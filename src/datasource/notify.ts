import { AppEvents } from '@grafana/data';
import { getAppEvents } from '@grafana/runtime';

/** Shows a notification for a requested action that is not possible. */
export function warn(title: string, text: string): void {
  getAppEvents().publish({ type: AppEvents.alertWarning.name, payload: [title, text] });
}
