/** Choosing, trying and unlocking models: a bundle of its own, loaded when one of these commands is first used. */
export { clearApiKey, setApiKey, setWikiKey } from './keyCommands';
export { showLearnt } from './learntCommand';
export { selectModel } from './selectModel';
export { testConnection } from './testConnection';
