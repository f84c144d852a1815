declare module 'systemjs/dist/*';
