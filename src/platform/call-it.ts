/** How people start Landfall and its commands: from a checkout by npm, from the installed package by its own command. */

const isChecked = import.meta.url.endsWith('.ts')

/** The prefix of a command: `npm run landfall -- keys list`. */
export const callIt = isChecked ? 'npm run landfall --' : 'landfall'
export const startIt = isChecked ? 'npm start' : 'landfall start'
