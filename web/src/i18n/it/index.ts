import face from './face';
import orma from './orma';
import shell from './shell';
import sock from './sock';

export default { shell, face, sock, orma } as const;
