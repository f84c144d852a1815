/** `.proto` files are imported as text by the bundler and by jest. */
declare module '*.proto' {
  const text: string;
  export default text;
}
