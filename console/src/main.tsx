/** Starts the console. */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app';
import { WithSession } from './app/session';
import 'uplot/dist/uPlot.min.css';
import './style/index.css';

const root = document.getElementById('console');
if (root === null) throw new Error('the page has no place for the console');
createRoot(root).render(
  <StrictMode>
    <WithSession>
      <App />
    </WithSession>
  </StrictMode>
);
