// The page asks its own origin, and Vite asks the mock: no CORS, and no API key in the page. npm run mock & npm run dev
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const mock = {
  target: `http://127.0.0.1:${process.env.MOCK_PORT ?? 4010}`,
  changeOrigin: true,
  headers: { Authorization: 'Bearer test-key' },
};

export default defineConfig({ plugins: [react()], server: { proxy: { '/v1': mock } } });
