import { startS3 } from '../../../local/emulators/s3/server.ts';

/** The emulator as a process of its own, which a test can kill; prints its URL when it serves. */
const [, , dataDir = '', bucket = ''] = process.argv;
const emulator = await startS3({ dataDir });
await emulator.createBucket(bucket);
process.stdout.write(emulator.url);
