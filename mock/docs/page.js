// The API reference: Swagger UI with the contract of this mock and its usual key.
const root = document.documentElement;

const themeButton = document.querySelector('.theme');
const isDark = () =>
  (root.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : '')) === 'dark';
const showTheme = () => {
  root.classList.toggle('dark-mode', isDark());
  themeButton.textContent = isDark() ? 'Light' : 'Dark';
};
const readTheme = () => {
  const remembered = localStorage.getItem('theme');
  if (remembered !== null) root.dataset.theme = remembered;
  showTheme();
};
readTheme();
// It was switched in another tab.
addEventListener('storage', readTheme);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', showTheme);
themeButton.addEventListener('click', () => {
  root.dataset.theme = isDark() ? 'light' : 'dark';
  localStorage.setItem('theme', root.dataset.theme);
  showTheme();
});

// Swagger UI would round every integer beyond 2^53.
function printExactly(text) {
  try {
    const keep = (_key, value, { source }) => (typeof value === 'number' ? JSON.rawJSON(source) : value);
    return JSON.stringify(JSON.parse(text, keep), null, 2);
  } catch {
    return text;
  }
}

const exactIntegers = ({ React, getComponent }) => ({
  wrapComponents: {
    responseBody: (Body) => (props) =>
      /json/.test(props.contentType)
        ? React.createElement(
            getComponent('HighlightCode', true),
            { language: 'json', canCopy: true },
            printExactly(props.content),
          )
        : React.createElement(Body, props),
  },
});

// Beside the three shells that Swagger UI has.
const samples = {
  fn: {
    requestSnippetGenerator_fetch: (request) => {
      const { url, method, headers, body } = request.toJS();
      return `await fetch(${JSON.stringify(url)}, ${JSON.stringify({ method, headers, body }, null, 2)});`;
    },
  },
};
const generators = {
  curl_bash: { title: 'curl', syntax: 'bash' },
  curl_powershell: { title: 'curl (PowerShell)', syntax: 'powershell' },
  curl_cmd: { title: 'curl (cmd)', syntax: 'bash' },
  fetch: { title: 'JavaScript', syntax: 'javascript' },
};

const reference = SwaggerUIBundle({
  domNode: document.querySelector('#reference'),
  url: new URL('docs/openapi.json', location.href).href,
  deepLinking: true,
  displayRequestDuration: true,
  requestSnippetsEnabled: true,
  requestSnippets: { generators, defaultExpanded: true },
  tryItOutEnabled: true,
  validatorUrl: null,
  plugins: [exactIntegers, samples],
  onComplete: () => reference.preauthorizeApiKey('bearerAuth', 'test-key'),
});
