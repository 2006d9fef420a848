/** The pages of the documents that programs and pages name, as paths from the folder `docs`. */
export const docsPages = {
  index: 'README.md',
  finding: 'guides/verify-staging.md',
} as const;
