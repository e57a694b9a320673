// Settings of this browser, and the configuration of annals, which is only shown: it is a file.

import { useAnswer } from '../core/api';
import { shortPath } from '../core/format';
import { state } from '../core/state';
import { type Density, density, type Theme, theme } from '../core/theme';
import { Awaited, Choice, PageHeading, Panel } from '../parts/basics';
import type { ConfigurationDocument } from '../schema';

export function Settings() {
  const configuration = useAnswer<ConfigurationDocument>('configuration');
  const { version, zone, roots, read_only: isReadOnly, reveal, demo } = state.value;
  return (
    <>
      <PageHeading title="Settings" />
      <div class="panels">
        <Panel title="This browser">
          <dl>
            <dt>Theme</dt>
            <dd>
              <Choice<Theme>
                label="Theme"
                value={theme.value}
                options={[
                  ['system', 'System'],
                  ['light', 'Light'],
                  ['dark', 'Dark'],
                ]}
                onChange={value => {
                  theme.value = value;
                }}
              />
            </dd>
            <dt>Density</dt>
            <dd>
              <Choice<Density>
                label="Density"
                value={density.value}
                options={[
                  ['comfortable', 'Comfortable'],
                  ['compact', 'Compact'],
                ]}
                onChange={value => {
                  density.value = value;
                }}
              />
            </dd>
          </dl>
        </Panel>
        <Panel title="This server">
          <dl>
            <dt>Version</dt>
            <dd>{version}</dd>
            <dt>Time zone</dt>
            <dd>{zone}</dd>
            <dt>Stores</dt>
            <dd>{roots?.map(shortPath).join(', ')}</dd>
            <dt>Secrets</dt>
            <dd>{reveal ? 'shown (--reveal)' : 'masked'}</dd>
            <dt>Actions</dt>
            <dd>{isReadOnly ? 'none (--read-only)' : 'mark, tag, rename, archive, restore'}</dd>
            {demo && (
              <>
                <dt>Data</dt>
                <dd>made up (--demo)</dd>
              </>
            )}
          </dl>
        </Panel>
      </div>
      <Panel title="Configuration">
        <Awaited answer={configuration}>
          {document => (
            <>
              <p class="soft">
                {document.path && document.exists ? (
                  <>
                    Read from <span class="mono">{shortPath(document.path)}</span>. Edit that file to change it, then restart the server.
                  </>
                ) : (
                  'There is no configuration file: annals needs none.'
                )}
              </p>
              <div class="x">
                <table class="rows">
                  <thead>
                    <tr>
                      <th>Setting</th>
                      <th>Value</th>
                      <th>From</th>
                    </tr>
                  </thead>
                  <tbody>
                    {document.settings.map(setting => (
                      <tr key={setting.name}>
                        <td class="mono">{setting.name}</td>
                        <td>{setting.value || <span class="soft">not set</span>}</td>
                        <td class="soft">{setting.source}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            </>
          )}
        </Awaited>
      </Panel>
    </>
  );
}
