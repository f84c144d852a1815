/** On a busy machine, components take longer than the second that the library waits for them by default. */
import { configure } from '@testing-library/react';

configure({ asyncUtilTimeout: 10_000 });
