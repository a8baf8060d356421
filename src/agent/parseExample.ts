const ANNOUNCES =
  /(for example|for instance|e\.g\.?|such as|like (this|so)|examples?|例如|比如|譬如|示例|举例|如下)[^\n]{0,30}[:：]\s*$/i;
const FENCE = /^\s*(```|~~~)/;

/** Whether a line belongs to an example: the line, or the fenced block, after one that announces it. Nothing there is an action. */
export class ExampleWatch {
  private state: 'no' | 'line' | 'fence' = 'no';

  get inside(): boolean {
    return this.state !== 'no';
  }

  /**
   * Notes a line that is not blank.
   * @param beginning its first characters
   * @param end its last characters
   */
  endLine(beginning: string, end: string): void {
    const isFence = FENCE.test(beginning);
    if (this.state === 'fence') {
      if (isFence) this.state = 'no';
    } else if (this.state === 'line' && isFence) this.state = 'fence';
    else this.state = ANNOUNCES.test(end) ? 'line' : 'no';
  }
}
