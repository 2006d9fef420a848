import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Animals } from './animals';

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <Animals />
  </StrictMode>,
);
