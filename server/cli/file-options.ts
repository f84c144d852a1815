/** Options for the folders and files of a server. What the command line leaves out is as the server's settings say. */
import { Option } from 'commander';
import { type SettingName, SETTINGS } from '#contract/settings';

/** @param description what the command does with the folder */
export function dataDirOption(description = 'data folder of the server'): Option {
  return placeOption('--data-dir <folder>', description, 'LQE_DATA_DIR');
}

export function endpointsDirOption(): Option {
  return placeOption('--endpoints-dir <folder>', 'folder of the saved queries', 'LQE_ENDPOINTS_DIR');
}

export function sourcesFileOption(): Option {
  return placeOption('--sources-file <file>', 'file of the sources', 'LQE_SOURCES_FILE');
}

function placeOption(flags: string, description: string, name: SettingName): Option {
  const setting = SETTINGS.find((each) => each.name === name);
  return new Option(flags, description).default(process.env[name] || setting?.default);
}
