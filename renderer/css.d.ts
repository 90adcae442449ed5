// Style sheets are imported for their effect; the bundler links them.
declare module '*.css'
