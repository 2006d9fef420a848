const ui = SwaggerUIBundle({
  dom_id: '#swagger-ui',
  url: new URL('docs/openapi.json', location.href).href,
  deepLinking: true,
  tryItOutEnabled: true,
  onComplete: () => ui.preauthorizeApiKey('bearerAuth', 'test-key'),
});
