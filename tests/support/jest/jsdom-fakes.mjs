/** What the host's components need of a browser, and jsdom lacks. */

// jsdom draws nothing; the host's pickers measure their texts.
HTMLCanvasElement.prototype.getContext = () => ({ measureText: (text) => ({ width: 8 * text.length }) });

// … and their lists watch what is in sight.
global.IntersectionObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
