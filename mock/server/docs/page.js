// The API reference: Swagger UI with the contract of this mock and its usual key.

// Swagger UI rounds integers above 2^53.
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

// Assistive technology cannot reach a link inside a button. The address changes without the link.
const showText = ({ text }) => text;
const plainPaths = { wrapComponents: { DeepLink: () => showText } };

// Names for elements that Swagger UI leaves without one.
const names = {
  select: (select) => select.closest('tr')?.dataset.paramName ?? 'Server',
  textarea: () => 'Body',
  '[role="region"]': (responses) => `Responses of ${responses.closest('.opblock').id.split('-').at(-1)}`,
  '.information-container': () => 'About',
  '.scheme-container': () => 'Server and key',
  '.close-modal': () => 'Close',
  '.model-box-control:has(> :only-child:empty)': () => 'Schema',
};
new MutationObserver(() => {
  for (const [selector, toName] of Object.entries(names)) {
    for (const element of document.querySelectorAll(`${selector}:not([aria-label])`)) {
      element.ariaLabel = toName(element);
      if (element.matches('div')) element.role = 'region';
    }
  }
  for (const title of document.querySelectorAll('h1.title')) title.ariaLevel = 2;
  for (const title of document.querySelectorAll('.modal-ux h6')) title.ariaLevel = 5;
  // Voice control uses the text of a button.
  for (const button of document.querySelectorAll('.btn.auth[aria-label]')) button.ariaLabel = null;
  // Users of a keyboard can scroll it.
  for (const code of document.querySelectorAll('pre.microlight:not([tabindex])')) code.tabIndex = 0;
}).observe(document.querySelector('#reference'), { childList: true, subtree: true });

// A sample in addition to the three shells of Swagger UI.
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

// The console names the request that its link came from.
const from = new URLSearchParams(location.search).get('from');
if (from?.startsWith('#/')) document.querySelector('header a[href="./"]').href = `./${from}`;

const reference = SwaggerUIBundle({
  domNode: document.querySelector('#reference'),
  url: new URL('docs/openapi.json', location.href).href,
  deepLinking: true,
  displayRequestDuration: true,
  requestSnippetsEnabled: true,
  requestSnippets: { generators, defaultExpanded: true },
  tryItOutEnabled: true,
  // Its colours have too little contrast.
  syntaxHighlight: { activated: false },
  validatorUrl: null,
  plugins: [exactIntegers, plainPaths, samples],
  onComplete: () => reference.preauthorizeApiKey('bearerAuth', 'test-key'),
});
