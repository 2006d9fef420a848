/** The codes of Errors of the mock and the proxy, with their HTTP statuses. Source: docs/reference/unspecified.md */
export const errorStatuses = {
  invalid_request: 400,
  request_violation: 400,
  unauthorized: 401,
  forbidden: 403,
  host_not_allowed: 403,
  not_found: 404,
  control_api_off: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  name_taken: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  too_many_requests: 429,
  headers_too_large: 431,
  internal_error: 500,
  not_implemented: 501,
  upstream_failed: 502,
  response_violation: 502,
  service_unavailable: 503,
  upstream_timeout: 504,
} as const;

export type ErrorCode = keyof typeof errorStatuses;

/** Prints an error as JSON. Source: openapi.yaml#/components/schemas/Error */
export function printError(code: ErrorCode, message: string): string {
  return JSON.stringify({ code, message, status: errorStatuses[code] });
}
