// The page asks its own origin, and Vite asks the mock: no CORS, and no API key in the page. npm run mock & npm run dev
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const { MOCK_PORT = '4010', ANIMAL_STORE_API_KEY = 'test-key' } = process.env;
// A mock that runs the tests names itself in ANIMAL_STORE_URL.
const { ANIMAL_STORE_URL = `http://127.0.0.1:${MOCK_PORT}/v1` } = process.env;
const mock = {
  target: new URL(ANIMAL_STORE_URL).origin,
  changeOrigin: true,
  headers: { Authorization: `Bearer ${ANIMAL_STORE_API_KEY}` },
};

export default defineConfig({ plugins: [react()], server: { proxy: { '/v1': mock } } });
