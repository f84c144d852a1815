/** What the scripts use of packages that have no types. */
declare module 'postject' {
  export function inject(
    program: string,
    resource: string,
    data: Buffer,
    options: { readonly sentinelFuse: string }
  ): Promise<void>;
}

declare module 'yazl' {
  export class ZipFile {
    readonly outputStream: NodeJS.ReadableStream;
    addFile(path: string, name: string, options: { readonly mode: number }): void;
    end(): void;
  }
}

declare module '@grafana/eslint-config/flat.js' {
  const config: import('eslint').Linter.Config[];
  export default config;
}

declare module 'jest-circus/runner' {
  const runFile: (
    globalConfig: import('@jest/types').Config.GlobalConfig,
    config: import('@jest/types').Config.ProjectConfig,
    environment: import('@jest/environment').JestEnvironment,
    runtime: unknown,
    testPath: string
  ) => Promise<import('@jest/test-result').TestResult>;
  export default runFile;
}
