import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { watchNavigation } from './parts/browser/navigation.ts';
import './styles/tokens.css';
import './styles/base.css';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element with the id "root".');
watchNavigation();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
