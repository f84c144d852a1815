/** `.proto` files are imported as text; the bundler and jest both do so. */
declare module '*.proto' {
  const text: string;
  export default text;
}
