/** Runs in the page, before its scripts: when things are painted, and which tasks are long. */

export interface PageWatch {
  /** Milliseconds since the navigation at which the first element of a selector was painted; rejects after 60 s. */
  painted(selector: string): Promise<number>;
  /** The longest task since the last call, 0 without any of more than 50 ms. */
  longest(): number;
  /** The last byte of the last answer to a call of a saved query. */
  answeredAt(): number;
}

export const WATCH = `(() => {
  const tasks = [];
  const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries()));
  observer.observe({ type: 'longtask', buffered: true });
  performance.setResourceTimingBufferSize(5000);
  const afterPaint = () => new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now()), 0));
  });
  window.watch = {
    painted: (selector) => new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('not painted: ' + selector)), 60000);
      const look = () => {
        if (!document.querySelector(selector)) return false;
        changes.disconnect();
        clearTimeout(timer);
        afterPaint().then(resolve);
        return true;
      };
      const changes = new MutationObserver(look);
      if (!look()) changes.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    }),
    longest: () => {
      tasks.push(...observer.takeRecords());
      return tasks.splice(0).reduce((longest, { duration }) => Math.max(longest, duration), 0);
    },
    answeredAt: () => {
      const calls = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/api/endpoints/query/'));
      return calls[calls.length - 1].responseEnd;
    },
  };
})()`;
