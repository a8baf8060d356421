// Stands in for @vscode/spdlog, VS Code's writer of log files. The server from npm comes without its native part, and
// would write none: what goes into them can then be read in tests.
const { appendFileSync, mkdirSync } = require('node:fs');
const { dirname } = require('node:path');

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'critical'];

class Logger {
  constructor(path) {
    this.path = path;
    this.least = 2;
    this.bare = false;
    for (const [level, name] of LEVELS.entries()) this[name] = (message) => this.write(level, message);
  }

  write(level, message) {
    if (level < this.least) return;
    const before = this.bare ? '' : `${new Date().toISOString()} [${LEVELS[level]}] `;
    try {
      appendFileSync(this.path, `${before}${message}\n`);
    } catch {
      // VS Code is closing, and its folder is gone
    }
  }

  getLevel() {
    return this.least;
  }

  setLevel(level) {
    this.least = level;
  }

  clearFormatters() {
    this.bare = true;
  }

  setPattern() {}
  flush() {}
  drop() {}
}

async function createLogger(_name, path) {
  mkdirSync(dirname(path), { recursive: true });
  return new Logger(path);
}

exports.version = 0;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.Logger = Logger;
exports.createRotatingLogger = createLogger;
exports.createAsyncRotatingLogger = createLogger;
