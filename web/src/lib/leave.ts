/** Leave a table for good without going there: seats of one's own are given up, and a table without people closes. */
import { beKnown } from './api';
import { Connection } from './connection';

export function leaveTable(id: string): Promise<void> {
  return new Promise((resolve) => {
    const connection = new Connection(id, undefined, beKnown());
    let said = false;
    let ended = false;
    const stop = connection.subscribe(({ link, table, yours }) => {
      if (link === 'open' && table !== null && !said) {
        said = true;
        connection.say({ type: 'leave' });
      } else if (link === 'gone' || (said && yours.length === 0)) ended = true;
      if (ended) setTimeout(finish);
    });
    const timer = setTimeout(finish, 8000);
    function finish(): void {
      clearTimeout(timer);
      stop();
      connection.close();
      resolve();
    }
  });
}
