<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>lockscope::ui::AboutDialog</name>
    <message>
        <source>About Lockscope</source>
        <translation>关于 Lockscope</translation>
    </message>
    <message>
        <source>Lockscope %1</source>
        <translation>Lockscope %1</translation>
    </message>
    <message>
        <source>Shows who holds locks on MySQL and MariaDB servers, who waits for them, and releases a stuck one safely.

Built with Qt %1.

The sources are under the MIT licence. This program links Qt Charts and is distributed under the GNU General Public License, version 3.</source>
        <translation>显示 MySQL 和 MariaDB 服务器上谁持有锁、谁在等待，并能安全地释放卡住的锁。

使用 Qt %1 构建。

源代码采用 MIT 许可证。本程序链接了 Qt Charts，按 GNU 通用公共许可证第 3 版（GNU General Public License, version 3）分发。</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::ActionDialog</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>This is a production server.</source>
        <translation>这是生产服务器。</translation>
    </message>
    <message>
        <source>Statement</source>
        <translation>语句</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>&amp;Reason</source>
        <translation>原因(&amp;R)</translation>
    </message>
    <message>
        <source>With its &amp;guard</source>
        <translation>连同检查(&amp;G)</translation>
    </message>
    <message>
        <source>Everything that is sent, including the check, in the same packet, that it is still the same work</source>
        <translation>发送的全部内容，包括同一数据包中确认仍是同一工作的检查</translation>
    </message>
    <message>
        <source>Server&apos;s &amp;name</source>
        <translation>服务器名称(&amp;N)</translation>
    </message>
    <message>
        <source>Type %1 to confirm</source>
        <translation>输入 %1 以确认</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::AlarmBar</name>
    <message>
        <source>&amp;Alarms…</source>
        <translation>警报(&amp;A)…</translation>
    </message>
    <message>
        <source>Show it</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Change alarms…</source>
        <translation>更改警报…</translation>
    </message>
    <message>
        <source>Choose when something lasts too long</source>
        <translation>选择什么算持续太久</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::AlarmDialog</name>
    <message>
        <source>Q&amp;uiet hours, from</source>
        <translation>安静时段(&amp;U)，从</translation>
    </message>
    <message>
        <source>&amp;Notify on the desktop too</source>
        <translation>同时在桌面上通知(&amp;N)</translation>
    </message>
    <message>
        <source>Alarms</source>
        <translation>警报</translation>
    </message>
    <message>
        <source>a connection &amp;waits for longer than</source>
        <translation>连接等待超过(&amp;W)</translation>
    </message>
    <message>
        <source> s</source>
        <translation> s</translation>
    </message>
    <message>
        <source>the &amp;queue of a lock is longer than</source>
        <translation>锁的等待队列长于(&amp;Q)</translation>
    </message>
    <message>
        <source>a lock is &amp;held for longer than</source>
        <translation>锁被持有超过(&amp;H)</translation>
    </message>
    <message>
        <source> min</source>
        <translation> min</translation>
    </message>
    <message>
        <source>a lease has no &amp;living session for longer than</source>
        <translation>租约没有存活会话超过(&amp;L)</translation>
    </message>
    <message>
        <source>to</source>
        <translation>到</translation>
    </message>
    <message>
        <source>Quiet hours begin</source>
        <translation>安静时段开始</translation>
    </message>
    <message>
        <source>Quiet hours end</source>
        <translation>安静时段结束</translation>
    </message>
    <message>
        <source>This desktop shows no notifications: the window asks for attention instead.</source>
        <translation>此桌面不显示通知：改由窗口请求注意。</translation>
    </message>
    <message>
        <source>&amp;As usual</source>
        <translation>恢复默认(&amp;A)</translation>
    </message>
    <message>
        <source>Fill in what Lockscope suggests</source>
        <translation>填入 Lockscope 建议的值</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>&amp;Save alarms</source>
        <translation>保存警报(&amp;S)</translation>
    </message>
    <message>
        <source>once that has been so for ano&amp;ther</source>
        <translation>并且这样又持续了(&amp;T)</translation>
    </message>
    <message>
        <source>Notify me, even while the window is hidden, when</source>
        <translation>在下列情况下告诉我（窗口隐藏时也一样）</translation>
    </message>
    <message>
        <source>In these hours alarms only appear in the window; there is no notification.</source>
        <translation>这些时段的警报只显示在窗口中，不会打扰任何人。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::AlarmText</name>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 及另外 %n 个</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n connections wait for longer than %1: %2.</source>
        <translation>
            <numerusform>%n 个连接的等待超过 %1：%2。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n locks have more than %1 waiting: %2.</source>
        <translation>
            <numerusform>%n 个锁的等待者多于 %1 个：%2。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n locks have been held for longer than %1: %2.</source>
        <translation>
            <numerusform>%n 个锁被持有超过 %1：%2。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n leases have had no living session for %1: %2.</source>
        <translation>
            <numerusform>%n 个租约已有 %1 没有存活的会话：%2。</numerusform>
        </translation>
    </message>
    <message>
        <source>Alarm: more than %1 wait for it.</source>
        <translation>警报：等待它的多于 %1 个。</translation>
    </message>
    <message>
        <source>Alarm: no living session for longer than %1.</source>
        <translation>警报：没有存活会话超过 %1。</translation>
    </message>
    <message>
        <source>Alarm: held for longer than %1.</source>
        <translation>警报：被持有超过 %1。</translation>
    </message>
    <message numerus="yes">
        <source>%n alarms on %1</source>
        <translation>
            <numerusform>%1 上有 %n 个警报</numerusform>
        </translation>
    </message>
    <message>
        <source>There may be more: not all locks were read.</source>
        <translation>可能还有更多：并非所有锁都已读取。</translation>
    </message>
    <message>
        <source>%1 blocks it.</source>
        <translation>%1 阻塞它。</translation>
    </message>
    <message>
        <source>%1 blocks %2 of them.</source>
        <translation>%1 阻塞其中 %2 个。</translation>
    </message>
    <message>
        <source>Prepared %1</source>
        <translation>已 prepare 的%1</translation>
    </message>
    <message>
        <source>Session %1</source>
        <translation>会话 %1</translation>
    </message>
    <message>
        <source>Session %1 %2</source>
        <translation>会话 %1 %2</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::ChartStyle</name>
    <message>
        <source>Unique</source>
        <translation>唯一</translation>
    </message>
    <message>
        <source>Pessimistic</source>
        <translation>悲观</translation>
    </message>
    <message>
        <source>Optimistic</source>
        <translation>乐观</translation>
    </message>
    <message>
        <source>%1 µs</source>
        <translation>%1 µs</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::CommandPalette</name>
    <message>
        <source>%1   (%2)</source>
        <translation>%1   (%2)</translation>
    </message>
    <message>
        <source>Find a lock, a session, a server or something to do</source>
        <translation>查找锁、会话、服务器或操作</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::ConnectionDialog</name>
    <message>
        <source>This is a p&amp;roduction server</source>
        <translation>这是生产服务器(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Test connection</source>
        <translation>测试连接(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Connect</source>
        <translation>连接(&amp;C)</translation>
    </message>
    <message>
        <source>Connect to a server</source>
        <translation>连接到服务器</translation>
    </message>
    <message>
        <source>Host name or address; TLS with a verified certificate</source>
        <translation>主机名或地址；使用 TLS 并验证证书</translation>
    </message>
    <message>
        <source>/run/mysqld/mysqld.sock, instead of host and port</source>
        <translation>/run/mysqld/mysqld.sock，代替主机和端口</translation>
    </message>
    <message>
        <source>Used for this connection, never stored</source>
        <translation>仅用于本次连接，不会保存</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>名称(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Host</source>
        <translation>主机(&amp;H)</translation>
    </message>
    <message>
        <source>P&amp;ort</source>
        <translation>端口(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Socket</source>
        <translation>套接字(&amp;S)</translation>
    </message>
    <message>
        <source>Schem&amp;a</source>
        <translation>Schema(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;User</source>
        <translation>用户(&amp;U)</translation>
    </message>
    <message>
        <source>Pass&amp;word</source>
        <translation>密码(&amp;W)</translation>
    </message>
    <message>
        <source>CA &amp;file</source>
        <translation>CA 文件(&amp;F)</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Name the user to connect as.</source>
        <translation>请填写连接所用的用户。</translation>
    </message>
    <message>
        <source>Name a host, or the path of a socket.</source>
        <translation>请填写主机，或套接字的路径。</translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation>正在连接…</translation>
    </message>
    <message>
        <source>Connected to %1. The lock tables are there.</source>
        <translation>已连接到 %1。锁所用的数据表已就绪。</translation>
    </message>
    <message>
        <source>The server is read-only, perhaps a replica.</source>
        <translation>该服务器为只读，可能是副本。</translation>
    </message>
    <message>
        <source>It does not write every commit to disk: after a crash it may repeat a token.</source>
        <translation>它并非每次提交都写入磁盘：崩溃后可能重复发出同一令牌。</translation>
    </message>
    <message>
        <source>Re&amp;move</source>
        <translation>移除(&amp;M)</translation>
    </message>
    <message>
        <source>Remember the password in the &amp;keyring</source>
        <translation>在密钥环中记住密码(&amp;K)</translation>
    </message>
    <message>
        <source>Sa&amp;ve</source>
        <translation>保存(&amp;V)</translation>
    </message>
    <message>
        <source>Co&amp;lour</source>
        <translation>颜色(&amp;L)</translation>
    </message>
    <message>
        <source>As the keyring has it</source>
        <translation>使用密钥环中的密码</translation>
    </message>
    <message>
        <source>&amp;Import from option file…</source>
        <translation>从选项文件导入(&amp;I)…</translation>
    </message>
    <message>
        <source>Import from option file</source>
        <translation>从选项文件导入</translation>
    </message>
    <message>
        <source>What this server is called here</source>
        <translation>此服务器在这里的名称</translation>
    </message>
    <message>
        <source>The keyring did not store the password. You will be asked for it each time.</source>
        <translation>密钥环没有接受密码。每次都会询问密码。</translation>
    </message>
    <message>
        <source>Lockscope&apos;s own server, on this machine and for you alone: a socket in a folder that nobody else can open. You can try anything there.</source>
        <translation>Lockscope 自己的服务器，在本机，只供您使用：套接字位于他人无法打开的文件夹中。在那里什么都可以试。</translation>
    </message>
    <message>
        <source>PEM file; empty: the system&apos;s certificate authorities</source>
        <translation>PEM 文件；留空则使用系统的证书颁发机构</translation>
    </message>
    <message>
        <source>It opens read-only; you can start operator mode later.</source>
        <translation>以只读方式打开；操作模式可另行选择。</translation>
    </message>
    <message>
        <source>No keyring answers on this desktop. You will be asked for the password each time.</source>
        <translation>此桌面上没有可用的密钥环。每次都会询问密码。</translation>
    </message>
    <message>
        <source>MySQL or MariaDB</source>
        <translation>MySQL 或 MariaDB</translation>
    </message>
    <message>
        <source>Kin&amp;d</source>
        <translation>种类(&amp;D)</translation>
    </message>
    <message>
        <source>Connected to %1.</source>
        <translation>已连接到 %1。</translation>
    </message>
    <message>
        <source>Add a server to the list</source>
        <translation>将服务器添加到列表</translation>
    </message>
    <message>
        <source>&amp;Add to the list</source>
        <translation>添加到列表(&amp;A)</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::EventTableModel</name>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Event</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Resource</source>
        <translation>资源</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>令牌</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>操作员</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Recorded</source>
        <translation>记录于</translation>
    </message>
    <message>
        <source>Where it is on record: on the server, for all who may read it, or in this machine&apos;s own file</source>
        <translation>记录在何处：在服务器上（有权读取者均可见），或在本机自己的文件中</translation>
    </message>
    <message>
        <source>Tried to end</source>
        <translation>尝试结束</translation>
    </message>
    <message>
        <source>Tried to release</source>
        <translation>尝试释放</translation>
    </message>
    <message>
        <source>Both</source>
        <translation>两处</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>This machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>This window</source>
        <translation>本窗口</translation>
    </message>
    <message>
        <source>%1, by this machine&apos;s clock</source>
        <translation>%1（按本机时钟）</translation>
    </message>
    <message>
        <source>The result says what came of it.</source>
        <translation>结果一栏说明了其后果。</translation>
    </message>
    <message>
        <source>What came of it, from the record of this machine</source>
        <translation>本机记录中的结果</translation>
    </message>
    <message>
        <source>Whose</source>
        <translation>属于谁</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::EventsPage</name>
    <message>
        <source>Events</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Filter by any word</source>
        <translation>按任意词筛选</translation>
    </message>
    <message>
        <source>No event matches</source>
        <translation>没有匹配的事件</translation>
    </message>
    <message>
        <source>Hidden by the filter: %1.</source>
        <translation>被筛选隐藏：%1。</translation>
    </message>
    <message>
        <source>Clear filter</source>
        <translation>清除筛选</translation>
    </message>
    <message>
        <source>Nothing out of the ordinary</source>
        <translation>一切如常</translation>
    </message>
    <message>
        <source>Takeovers of expired leases, losses and releases by force are recorded here, with time, operator and reason.</source>
        <translation>接管已过期的租约、租约丢失以及强制释放都记录在这里，附有时间、操作员和原因。</translation>
    </message>
    <message>
        <source>What was done from this machine cannot be listed.</source>
        <translation>无法列出从本机所做的操作。</translation>
    </message>
    <message>
        <source>What was not routine, newest first. Grants and releases that went as planned are not recorded.

Taken over: a lease ran out and the next program took it. Lost: a holder found that its lease was no longer its own. Force-released: a person ended it; operator and reason are shown beside it. Release failed: a holder could not release, and the lease ended with its time.

What people did from this machine is on record here too, on any server; what is in both records is one row.

/ filters, Ctrl+E exports what is shown.</source>
        <translation>非常规的事件，最新的在前。按预期完成的授予和释放不作记录。

被接管：租约到期，由下一个程序取得。已丢失：持有者发现租约已不再属于自己。强制释放：由人工终止；旁边列有操作员和原因。释放失败：持有者未能释放，租约到期后结束。

在本机上由人所做的操作也记录在此，任何服务器都一样；两份记录中都有的只占一行。

/ 进行筛选，Ctrl+E 导出当前显示的内容。</translation>
    </message>
    <message>
        <source>only this machine&apos;s own record is listed.</source>
        <translation>只列出本机自己的记录。</translation>
    </message>
    <message>
        <source>Until this moment of the recording nothing was taken over, lost or released by force.</source>
        <translation>到录制的这一时刻为止，没有接管、丢失或强制释放。</translation>
    </message>
    <message>
        <source>What is released by force from this machine is recorded here, with time, operator and reason.</source>
        <translation>从本机强制释放的内容记录在此，附有时间、操作者和原因。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::FacetBar</name>
    <message>
        <source>Waiting</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>Only locks that somebody waits for</source>
        <translation>仅显示有人等待的锁</translation>
    </message>
    <message>
        <source>Only locks in this state</source>
        <translation>仅显示处于此状态的锁</translation>
    </message>
    <message>
        <source>Only locks in this state. There may be more: of some that other programs keep in tables it is not known now whether they are held, for example because their table could not be read.</source>
        <translation>仅显示处于此状态的锁。可能还有更多：其他程序保存在表中的某些锁，目前不知道是否被持有，例如因为它们的表无法读取。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::FaultBar</name>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::FilterEdit</name>
    <message>
        <source>%1 ( / )</source>
        <translation>%1（/）</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::KillController</name>
    <message>
        <source>Another server was opened while connections of %1 were being ended. Sent without an answer: %2. Not sent: %3.</source>
        <translation>在结束 %1 的连接期间打开了另一台服务器。已发送但无答复：%2。未发送：%3。</translation>
    </message>
    <message>
        <source>This is not on record.</source>
        <translation>此操作没有记录。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::KillDialog</name>
    <message>
        <source>End connection</source>
        <translation>结束连接</translation>
    </message>
    <message>
        <source>End connections</source>
        <translation>结束多个连接</translation>
    </message>
    <message>
        <source>Look at its new work</source>
        <translation>查看它的新工作</translation>
    </message>
    <message>
        <source>Look at their new work</source>
        <translation>查看它们的新工作</translation>
    </message>
    <message>
        <source>End the &amp;connection</source>
        <translation>结束连接(&amp;C)</translation>
    </message>
    <message>
        <source>End the &amp;connections</source>
        <translation>结束这些连接(&amp;C)</translation>
    </message>
    <message>
        <source>End only the &amp;statement that runs</source>
        <translation>只结束正在运行的语句(&amp;S)</translation>
    </message>
    <message>
        <source>Ending…</source>
        <translation>正在结束…</translation>
    </message>
    <message>
        <source>Undoing its changes…</source>
        <translation>正在撤销其更改…</translation>
    </message>
    <message>
        <source>Its work changed</source>
        <translation>它的工作已变</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>This server is open read-only. Start operator mode to end a connection.</source>
        <translation>此服务器以只读方式打开。要结束连接，请启动操作模式。</translation>
    </message>
    <message>
        <source>Required</source>
        <translation>必填</translation>
    </message>
    <message>
        <source>The server does not answer; what is shown is from %1.</source>
        <translation>服务器没有应答；所示内容来自 %1。</translation>
    </message>
    <message>
        <source>This is exactly what is sent.</source>
        <translation>将原样发送以下内容。</translation>
    </message>
    <message>
        <source>The server has accepted it and is undoing the changes. That goes on when this is closed.</source>
        <translation>服务器已接受，正在撤销更改。关闭此窗口后仍会继续。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::KillText</name>
    <message>
        <source>%1 runs a statement.</source>
        <translation>%1 正在运行语句。</translation>
    </message>
    <message>
        <source>%1 does nothing now.</source>
        <translation>%1 现在空闲。</translation>
    </message>
    <message>
        <source>Still blocking: %1.</source>
        <translation>仍在阻塞：%1。</translation>
    </message>
    <message numerus="yes">
        <source>Connection %1 keeps what the others wait for when only its statement ends: nobody would go on.</source>
        <translation>
            <numerusform>若只结束语句，连接 %1 会保留其他会话等待的锁：没有人能继续。</numerusform>
        </translation>
    </message>
    <message>
        <source>It keeps what the others wait for when only its statement ends: nobody would go on.</source>
        <translation>若只结束其语句，它会保留其他会话等待的锁：没有人能继续。</translation>
    </message>
    <message numerus="yes">
        <source>%n stay blocked, because what they wait for is kept: %1.</source>
        <translation>
            <numerusform>%n 个仍被阻塞，因为它们等待的锁会被保留：%1。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>%1 for %2</source>
        <translation>%1，已等 %2</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 及另外 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>%1?</source>
        <translation>%1？</translation>
    </message>
    <message>
        <source>End connection %1 on %2</source>
        <translation>结束 %2 上的连接 %1</translation>
    </message>
    <message>
        <source>End the statement of %1 on %2</source>
        <translation>结束 %2 上连接 %1 的语句</translation>
    </message>
    <message numerus="yes">
        <source>End %n connections on %1</source>
        <translation>
            <numerusform>结束 %1 上的 %n 个连接</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>End the statements of %n connections on %1</source>
        <translation>
            <numerusform>结束 %1 上 %n 个连接的语句</numerusform>
        </translation>
    </message>
    <message>
        <source>Connections %1.</source>
        <translation>连接 %1。</translation>
    </message>
    <message>
        <source>%1, as %2</source>
        <translation>%1，以 %2 登录</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1（程序 %2）</translation>
    </message>
    <message>
        <source>%1 has done nothing for %2.</source>
        <translation>%1 已有 %2 没有任何动作。</translation>
    </message>
    <message numerus="yes">
        <source>Its transaction has been open for %1 and locks %n rows.</source>
        <translation>
            <numerusform>其事务已打开 %1，锁住 %n 行。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>At least %n of those who wait may get an error: 1213 (deadlock), or 1062 (duplicate key) if the row of that key comes back.</source>
        <translation>
            <numerusform>等待者中可能至少有 %n 个收到错误：1213（死锁）；若该键的行恢复，则为 1062（重复键）。</numerusform>
        </translation>
    </message>
    <message>
        <source>What the statement did is undone. This cannot be taken back.</source>
        <translation>该语句所做的会被撤销。此操作无法收回。</translation>
    </message>
    <message>
        <source>What the statement did is undone; its transaction stays open and keeps its other locks. This cannot be taken back.</source>
        <translation>该语句所做的会被撤销；其事务保持打开，并保留其他的锁。此操作无法收回。</translation>
    </message>
    <message>
        <source>No changed rows are lost. This cannot be taken back.</source>
        <translation>不会丢失已更改的行。此操作无法收回。</translation>
    </message>
    <message>
        <source>Changed rows that are undone: %1, in less than a second. This cannot be taken back.</source>
        <translation>将撤销 %1 行更改，用时不到一秒。此操作无法收回。</translation>
    </message>
    <message>
        <source>Changed rows that are undone: %1, in about %2; the locks stay until then. This cannot be taken back.</source>
        <translation>将撤销 %1 行更改，约需 %2；在此之前锁仍保留。此操作无法收回。</translation>
    </message>
    <message>
        <source>Gives up: %1.</source>
        <translation>将放弃：%1。</translation>
    </message>
    <message numerus="yes">
        <source>%1 rows left to undo</source>
        <translation>
            <numerusform>还有 %1 行待撤销</numerusform>
        </translation>
    </message>
    <message>
        <source>Connection %1 had already ended. Nothing was done.</source>
        <translation>连接 %1 此前已经结束。未做任何操作。</translation>
    </message>
    <message>
        <source>The server did not do it.</source>
        <translation>服务器没有执行。</translation>
    </message>
    <message>
        <source>Connection %1 was not ended. %2</source>
        <translation>连接 %1 未被结束。%2</translation>
    </message>
    <message>
        <source>Connection %1 is doing other work by now. Nothing was done.</source>
        <translation>连接 %1 的工作现在已不同。未做任何操作。</translation>
    </message>
    <message>
        <source>This server is a replica: sessions that wait on its primary are not freed here.</source>
        <translation>此服务器是副本：在主服务器上等待的会话不会因此继续。</translation>
    </message>
    <message>
        <source>This server is read-only: programs that write do so on another one.</source>
        <translation>此服务器是只读的：写入在另一台服务器上进行。</translation>
    </message>
    <message>
        <source>Where it refuses KILL to this user, mysql.%1 is called instead.</source>
        <translation>若服务器拒绝此用户执行 KILL，则改为调用 mysql.%1。</translation>
    </message>
    <message>
        <source>This user may end its own connections only; for those of others it lacks %1.</source>
        <translation>此用户只能结束自己的连接；结束他人的连接缺少 %1 权限。</translation>
    </message>
    <message>
        <source>It runs nothing now: the server would accept KILL QUERY and free nothing.</source>
        <translation>它现在没有运行语句：服务器会接受 KILL QUERY，但不会释放任何内容。</translation>
    </message>
    <message>
        <source>%1 Not ended: %2. %3</source>
        <translation>%1未结束：%2。%3</translation>
    </message>
    <message>
        <source>All of them had already ended. Nothing was done.</source>
        <translation>它们都已结束。未做任何操作。</translation>
    </message>
    <message numerus="yes">
        <source>%n go on at once: %1.</source>
        <translation>
            <numerusform>%n 个立即继续：%1。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Up to %n later, one after the other, if each commits: %1.</source>
        <translation>
            <numerusform>若前面的事务都提交，随后最多还有 %n 个依次继续：%1。</numerusform>
        </translation>
    </message>
    <message>
        <source>All who waited went on: %1.</source>
        <translation>等待者已全部继续：%1。</translation>
    </message>
    <message numerus="yes">
        <source>%n wait</source>
        <translation>
            <numerusform>%n 个在等待</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 This cannot be taken back.</source>
        <translation>%1此操作无法收回。</translation>
    </message>
    <message>
        <source>%1 has been running its statement for %2.</source>
        <translation>%1 的语句已运行 %2。</translation>
    </message>
    <message>
        <source>Together they have waited for %1.</source>
        <translation>它们合计已等 %1。</translation>
    </message>
    <message numerus="yes">
        <source>Connection %1 no longer does the work that you saw. Nothing was done to it.</source>
        <translation>
            <numerusform>连接 %1 已不再执行您看到的工作。未对它做任何操作。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Connection %1 could not be seen just now; what is shown of it is older. It may have ended.</source>
        <translation>
            <numerusform>刚才未能看到连接 %1；所示内容是更早的。它可能已结束。</numerusform>
        </translation>
    </message>
    <message>
        <source>Nobody goes on because of this.</source>
        <translation>没有人会因此继续。</translation>
    </message>
    <message>
        <source>That is so if the statement is a transaction of its own (autocommit) and its session has no LOCK TABLES; else the locks stay.</source>
        <translation>前提是该语句自成一个事务（自动提交），且其会话没有 LOCK TABLES；否则锁会保留。</translation>
    </message>
    <message>
        <source>That is so unless its transaction has locked before what the statement locks: such a lock stays.</source>
        <translation>除非其事务此前已锁定该语句所锁定的对象：那样的锁会保留。</translation>
    </message>
    <message numerus="yes">
        <source>%n stay blocked, because somebody else blocks them too: %1.</source>
        <translation>
            <numerusform>%n 个仍被阻塞，因为还在等别人：%1。</numerusform>
        </translation>
    </message>
    <message>
        <source>Of those who waited, %1 went on, %2.</source>
        <translation>等待者中 %1 个已继续，%2。</translation>
    </message>
    <message>
        <source>Of those who waited, %1 went on, %2, now blocked by %3.</source>
        <translation>等待者中 %1 个已继续，%2，现在被 %3 阻塞。</translation>
    </message>
    <message numerus="yes">
        <source>%n connections have ended, according to the server.</source>
        <translation>
            <numerusform>%n 个连接已结束，服务器已确认。</numerusform>
        </translation>
    </message>
    <message>
        <source>Connection %1 has ended, according to the server.</source>
        <translation>连接 %1 已结束，服务器已确认。</translation>
    </message>
    <message>
        <source>The statement of connection %1 has ended, according to the server.</source>
        <translation>连接 %1 的语句已结束，服务器已确认。</translation>
    </message>
    <message>
        <source>Connection %1 is ending: its changes are still being undone.</source>
        <translation>连接 %1 正在结束：其更改仍在撤销。</translation>
    </message>
    <message>
        <source>It is not known who goes on: not every wait can be seen in full.</source>
        <translation>无法得知谁会继续：并非每个等待都能完整看到。</translation>
    </message>
    <message>
        <source>Others may go on too: not every wait can be seen in full.</source>
        <translation>其他会话也可能继续：并非每个等待都能完整看到。</translation>
    </message>
    <message>
        <source>It is not known whether connection %1 was ended; it may have been. %2</source>
        <translation>无法得知连接 %1 是否已被结束；它可能已结束。%2</translation>
    </message>
    <message>
        <source>%1 Not ended, or not known: %2. %3</source>
        <translation>%1未结束或无法得知：%2。%3</translation>
    </message>
    <message numerus="yes">
        <source>Connection %1 runs nothing now: the server would accept KILL QUERY and free nothing.</source>
        <translation>
            <numerusform>连接 %1 现在没有运行语句：服务器会接受 KILL QUERY，但不会释放任何内容。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LabForm</name>
    <message>
        <source>How this time varies around its mean</source>
        <translation>此时间围绕均值如何变化</translation>
    </message>
    <message>
        <source>Granted in the order of asking</source>
        <translation>按请求顺序授予</translation>
    </message>
    <message>
        <source>The store checks tokens</source>
        <translation>存储端校验令牌</translation>
    </message>
    <message>
        <source>Workers are processes</source>
        <translation>工作者为独立进程</translation>
    </message>
    <message>
        <source>Own load</source>
        <translation>自定义负载</translation>
    </message>
    <message>
        <source>Scenario</source>
        <translation>场景</translation>
    </message>
    <message>
        <source>A load to begin with</source>
        <translation>作为起点的负载</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>How workers keep each other out</source>
        <translation>工作者之间如何互斥</translation>
    </message>
    <message>
        <source>Workers</source>
        <translation>工作者</translation>
    </message>
    <message>
        <source>How many ask at a time</source>
        <translation>同时发出请求的数量</translation>
    </message>
    <message>
        <source>Resources</source>
        <translation>资源</translation>
    </message>
    <message>
        <source>How many names there are to ask for</source>
        <translation>可请求的名称数量</translation>
    </message>
    <message>
        <source>Asked for</source>
        <translation>请求分布</translation>
    </message>
    <message>
        <source>Work</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>What is done under the lock</source>
        <translation>持锁期间做什么</translation>
    </message>
    <message>
        <source>Hold</source>
        <translation>持有</translation>
    </message>
    <message>
        <source>How long a worker holds, in milliseconds</source>
        <translation>工作者持有多久（毫秒）</translation>
    </message>
    <message>
        <source>Rest</source>
        <translation>休息</translation>
    </message>
    <message>
        <source>How long a worker rests in between, in milliseconds</source>
        <translation>工作者两次请求之间休息多久（毫秒）</translation>
    </message>
    <message>
        <source>TTL</source>
        <translation>TTL</translation>
    </message>
    <message>
        <source>How long a lock lives without renewal</source>
        <translation>锁不续租时的存活时间</translation>
    </message>
    <message>
        <source>Wait</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>How long a worker waits before it gives up</source>
        <translation>工作者等待多久后放弃</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>时长</translation>
    </message>
    <message>
        <source>How long the run takes</source>
        <translation>运行持续多久</translation>
    </message>
    <message>
        <source>Connections</source>
        <translation>连接</translation>
    </message>
    <message>
        <source>How many the engine may open; fewer than it can use make workers wait for one</source>
        <translation>引擎最多可打开的连接数；若少于它能用到的数量，工作者就要等待连接</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <source>Rows refuse a write with a smaller token than one they have seen</source>
        <translation>若写入的令牌小于行中已见过的令牌，则拒绝该写入</translation>
    </message>
    <message>
        <source>So that they can be killed and frozen; at most %1</source>
        <translation>这样才能被杀死和冻结；最多 %1 个</translation>
    </message>
    <message>
        <source> ms</source>
        <translation> ms</translation>
    </message>
    <message>
        <source>as needed</source>
        <translation>按需</translation>
    </message>
    <message>
        <source>How often each resource is asked for</source>
        <translation>各资源被请求的频率</translation>
    </message>
    <message>
        <source>The same seed makes the same requests in the same order</source>
        <translation>相同的种子以相同的顺序请求相同的资源</translation>
    </message>
    <message>
        <source>Otherwise workers do not queue: they try again by themselves, and whoever comes first gets it</source>
        <translation>否则工作者不排队：各自重试，先到先得</translation>
    </message>
    <message>
        <source>What happens here: %1</source>
        <comment>titles of lessons</comment>
        <translation>这里发生了什么：%1</translation>
    </message>
    <message>
        <source>Store keeps</source>
        <translation>存储保留</translation>
    </message>
    <message>
        <source>What the nodes of a run keep of their writes. A ZooKeeper writes all to a log, which is on the disk some time later unless each write has to be</source>
        <translation>运行所用的节点保留哪些写入。ZooKeeper 把一切写入日志；除非要求每次写入都落盘，日志稍后才在磁盘上</translation>
    </message>
    <message>
        <source>Servers</source>
        <translation>服务器数</translation>
    </message>
    <message>
        <source>One, or an ensemble of which one may be gone</source>
        <translation>一台，或由三台组成、可以缺一台的集群</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LabPage</name>
    <message>
        <source>Start run</source>
        <translation>开始运行</translation>
    </message>
    <message>
        <source>Run all three modes</source>
        <translation>运行全部三种模式</translation>
    </message>
    <message>
        <source>No run yet.</source>
        <translation>尚无运行。</translation>
    </message>
    <message>
        <source>This run</source>
        <translation>本次运行</translation>
    </message>
    <message>
        <source>Side by side</source>
        <translation>并列对比</translation>
    </message>
    <message>
        <source>Runs what is chosen, in a schema of its own</source>
        <translation>在专用的 schema 中运行所选内容</translation>
    </message>
    <message>
        <source>The same load through unique, pessimistic and optimistic mode, one after the other</source>
        <translation>同一负载依次以唯一、悲观和乐观模式运行</translation>
    </message>
    <message>
        <source>Load this server?</source>
        <translation>对此服务器加压？</translation>
    </message>
    <message>
        <source>Make contention on %1 (%2)?</source>
        <translation>在 %1（%2）上制造争用？</translation>
    </message>
    <message>
        <source>Load this server</source>
        <translation>对此服务器加压</translation>
    </message>
    <message>
        <source>%1 begins…</source>
        <translation>正在启动：%1…</translation>
    </message>
    <message>
        <source>%1: %2 of %3 · %4 granted · %5 hold, %6 wait · %7 timed out · %8 conflicts · %9 errors</source>
        <translation>%1：%2 / %3 · 授予 %4 · 持有 %5，等待 %6 · 超时 %7 · 冲突 %8 · 错误 %9</translation>
    </message>
    <message>
        <source>No run.</source>
        <translation>没有运行。</translation>
    </message>
    <message>
        <source>%1 ended after %2: %3 granted, %4 per second.</source>
        <translation>%1：%2 后结束，授予 %3 次，每秒 %4 次。</translation>
    </message>
    <message>
        <source>First error: %1</source>
        <translation>首个错误：%1</translation>
    </message>
    <message>
        <source>Stop run</source>
        <translation>停止运行</translation>
    </message>
    <message>
        <source>This server is tagged as production, and runs load a server. Choose another one above.</source>
        <translation>此服务器标记为生产，而运行会对服务器加压。请在上方选择其他服务器。</translation>
    </message>
    <message>
        <source>Holding takes longer than the TTL: the engine renews, the other ways lose their lock.</source>
        <translation>持有时间长于 TTL：引擎会续租，其他方式会丢失锁。</translation>
    </message>
    <message>
        <source>Fewer connections than workers: they share them, and some wait for one.</source>
        <translation>连接少于工作者：它们共用连接，部分工作者需要等待连接。</translation>
    </message>
    <message>
        <source>Lab</source>
        <translation>实验室</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>负载</translation>
    </message>
    <message>
        <source>Shows or folds the choices for the load</source>
        <translation>展开或收起可选的负载设置</translation>
    </message>
    <message>
        <source>Makes contention on purpose, with real engines on real connections, in a schema of its own that is gone afterwards. On a server that is not the private one it asks first; on one tagged as production it does not run.

Choose a scenario or a load of your own, and a mode; start; then kill, freeze, cut off or crowd (Alt+1 … Alt+9) and watch what goes wrong. Each number&apos;s tool tip says how it is counted.

A lane shows a worker: low is waiting, full is holding; arrows show who hands to whom. Slow motion and single steps play what happened from that moment on; a step says in a sentence what happened and why.

Side by side, runs are compared. Ctrl+E saves them as JSON, or as a report in Markdown with pictures.</source>
        <translation>用真实的引擎和真实的连接有意制造争用，在专用的 schema 中进行，结束后即删除。若不是私有服务器，会先询问；若标记为生产，则不运行。

选择场景或自定义负载，再选择模式，然后开始；接着可以杀死、冻结、断网或增派工作者（Alt+1 … Alt+9），观察会出什么问题。每个数字的工具提示说明其统计方法。

每条泳道是一个工作者：低为等待，满为持有；箭头表示由谁交给谁。慢放和单步从该时刻起重放所发生的事；每一步用一句话说明发生了什么及其原因。

“并列对比”用于比较各次运行。Ctrl+E 将其保存为 JSON，或保存为带图片的 Markdown 报告。</translation>
    </message>
    <message>
        <source>%1 workers load it for %2, over up to %3 connections, in a schema of their own that is removed afterwards. Others who work there will notice. The user here needs the right to create and drop schemas named lockscope_lab_….</source>
        <translation>%1 个工作者将对其加压 %2，最多使用 %3 个连接，在专用的 schema 中进行，结束后删除。在该服务器上工作的其他人会受到影响。此处的用户需要有权创建和删除名称形如 lockscope_lab_… 的 schema。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>This is a recording, and runs need a server. Choose one above.</source>
        <translation>这是录制，运行需要服务器。请在上方选择一个。</translation>
    </message>
    <message>
        <source>Run side by side</source>
        <translation>并排运行</translation>
    </message>
    <message>
        <source>The same load, one after the other: %1</source>
        <translation>同样的负载，依次运行：%1</translation>
    </message>
    <message>
        <source>Runs need a MySQL or MariaDB, also those with locks on private Redis, ZooKeeper and etcd nodes. Choose one above.</source>
        <translation>运行需要 MySQL 或 MariaDB，使用私有 Redis、ZooKeeper 和 etcd 节点上的锁的运行也是如此。请在上方选择一个。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LabRunModel</name>
    <message>
        <source>%1 (partial)</source>
        <translation>%1（不完整）</translation>
    </message>
    <message>
        <source>%1 workers, %2 resources, %3, %4%5</source>
        <translation>%1 个工作者，%2 个资源，%3，%4%5</translation>
    </message>
    <message>
        <source>. Partial: %1</source>
        <translation>。不完整：%1</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>Granted/s</source>
        <translation>授予/s</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>95 %</source>
        <translation>95 %</translation>
    </message>
    <message>
        <source>99 %</source>
        <translation>99 %</translation>
    </message>
    <message>
        <source>Fairness</source>
        <translation>公平性</translation>
    </message>
    <message>
        <source>Timed out</source>
        <translation>超时</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>错误</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LabText</name>
    <message>
        <source>Unique</source>
        <translation>唯一</translation>
    </message>
    <message>
        <source>Pessimistic</source>
        <translation>悲观</translation>
    </message>
    <message>
        <source>Optimistic</source>
        <translation>乐观</translation>
    </message>
    <message>
        <source>Pessimistic, one central row</source>
        <translation>悲观，单一中心行</translation>
    </message>
    <message>
        <source>Pessimistic, 100 stripes</source>
        <translation>悲观，100 个分段</translation>
    </message>
    <message>
        <source>No lock</source>
        <translation>无锁</translation>
    </message>
    <message>
        <source>INSERT and poll, no TTL</source>
        <translation>INSERT 加轮询，无 TTL</translation>
    </message>
    <message>
        <source>INSERT, AUTO_INCREMENT as token</source>
        <translation>INSERT，以 AUTO_INCREMENT 为令牌</translation>
    </message>
    <message>
        <source>Release by name</source>
        <translation>按名称释放</translation>
    </message>
    <message>
        <source>Check, then INSERT</source>
        <translation>先检查，再 INSERT</translation>
    </message>
    <message>
        <source>Cleaner job</source>
        <translation>清理作业</translation>
    </message>
    <message>
        <source>Timestamp of whole seconds</source>
        <translation>整秒时间戳</translation>
    </message>
    <message>
        <source>ON DUPLICATE KEY UPDATE</source>
        <translation>ON DUPLICATE KEY UPDATE</translation>
    </message>
    <message>
        <source>FOR UPDATE on a missing row</source>
        <translation>FOR UPDATE 不存在的行</translation>
    </message>
    <message>
        <source>FOR UPDATE without an index</source>
        <translation>FOR UPDATE 无索引</translation>
    </message>
    <message>
        <source>A lease with TTL and fencing token. Fair, woken instead of polling, survives a lost connection.</source>
        <translation>带 TTL 和防护令牌的租约。公平，靠唤醒而非轮询，连接断开后仍有效。</translation>
    </message>
    <message>
        <source>A row locked in an open transaction. It ends with its session, and so does what was written in it.</source>
        <translation>在未结束的事务中锁定的一行。锁随会话结束，事务中的写入也随之回滚。</translation>
    </message>
    <message>
        <source>One row for all names: simple, and everybody waits for everybody.</source>
        <translation>所有名称共用一行：简单，但所有人互相等待。</translation>
    </message>
    <message>
        <source>100 rows for all names: unrelated names sometimes wait for each other.</source>
        <translation>所有名称共用 100 行：互不相关的名称有时也会互相等待。</translation>
    </message>
    <message>
        <source>Nobody is kept out. Watch updates get lost.</source>
        <translation>不排斥任何人。可以看到更新如何丢失。</translation>
    </message>
    <message>
        <source>A row is the lock. A crash locks it for ever; polling is unfair and loads the server.</source>
        <translation>一行即是锁。一旦崩溃就永久锁住；轮询不公平，还增加服务器负载。</translation>
    </message>
    <message>
        <source>The row&apos;s number as token: fenced, but a crash still locks for ever.</source>
        <translation>以行号为令牌：有防护，但崩溃仍会永久锁住。</translation>
    </message>
    <message>
        <source>After its TTL a slow holder&apos;s release deletes the next holder&apos;s lock.</source>
        <translation>超过 TTL 后，缓慢的持有者释放时会删除下一个持有者的锁。</translation>
    </message>
    <message>
        <source>Two look, both find nothing, both insert.</source>
        <translation>两方同时查看，都未找到，于是都插入。</translation>
    </message>
    <message>
        <source>Compare-and-swap on a timestamp of seconds: all writes of one second look alike.</source>
        <translation>对秒级时间戳做比较并交换：同一秒内的写入看起来都一样。</translation>
    </message>
    <message>
        <source>The row is locked by making or changing it in a transaction.</source>
        <translation>在事务中插入或修改该行，从而将其锁定。</translation>
    </message>
    <message>
        <source>Without an index every row is locked: unrelated work waits.</source>
        <translation>没有索引时会锁住所有行：无关的操作也要等待。</translation>
    </message>
    <message>
        <source>Hold it only</source>
        <translation>仅持有</translation>
    </message>
    <message>
        <source>Change a number</source>
        <translation>修改一个数字</translation>
    </message>
    <message>
        <source>Sell 10 pieces</source>
        <translation>售出 10 件</translation>
    </message>
    <message>
        <source>Do each job once</source>
        <translation>每个作业只做一次</translation>
    </message>
    <message>
        <source>Zipf</source>
        <translation>Zipf</translation>
    </message>
    <message>
        <source>One hot key</source>
        <translation>单个热点键</translation>
    </message>
    <message>
        <source>Each its own</source>
        <translation>各用各的</translation>
    </message>
    <message>
        <source>fixed</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>uniform</source>
        <translation>均匀</translation>
    </message>
    <message>
        <source>exponential</source>
        <translation>指数</translation>
    </message>
    <message>
        <source>Kill session</source>
        <translation>终止会话</translation>
    </message>
    <message>
        <source>The server ends one connection of the run.</source>
        <translation>服务器终止本次运行的一个连接。</translation>
    </message>
    <message>
        <source>The private server goes down and comes back.</source>
        <translation>私有服务器停机，随后恢复。</translation>
    </message>
    <message>
        <source>20 more workers for three seconds.</source>
        <translation>增加 20 个工作者，持续 3 秒。</translation>
    </message>
    <message>
        <source>Granted/s</source>
        <translation>授予/s</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>95 %</source>
        <translation>95 %</translation>
    </message>
    <message>
        <source>99 %</source>
        <translation>99 %</translation>
    </message>
    <message>
        <source>Fairness</source>
        <translation>公平性</translation>
    </message>
    <message>
        <source>Statements</source>
        <translation>语句</translation>
    </message>
    <message>
        <source>Connections</source>
        <translation>连接</translation>
    </message>
    <message>
        <source>CPU/grant</source>
        <translation>CPU/授予</translation>
    </message>
    <message>
        <source>Violations</source>
        <translation>违规</translation>
    </message>
    <message>
        <source>Lost updates</source>
        <translation>丢失更新</translation>
    </message>
    <message>
        <source>Stale writes</source>
        <translation>过期写入</translation>
    </message>
    <message>
        <source>Done twice</source>
        <translation>重复执行</translation>
    </message>
    <message>
        <source>Oversold</source>
        <translation>超卖</translation>
    </message>
    <message>
        <source>Overlaps</source>
        <translation>重叠</translation>
    </message>
    <message>
        <source>Refused</source>
        <translation>被拒绝</translation>
    </message>
    <message>
        <source>Lost</source>
        <translation>丢失</translation>
    </message>
    <message>
        <source>Stale</source>
        <translation>过期</translation>
    </message>
    <message>
        <source>Twice</source>
        <translation>重复</translation>
    </message>
    <message>
        <source>Two workers held one resource at one time, each by its own deadline. Counted from the workers&apos; own times, on one clock.</source>
        <translation>两个工作者同时持有同一资源，且按各自的期限都仍有效。依据工作者自己记录的时间、以同一时钟统计。</translation>
    </message>
    <message>
        <source>A missing row locks a gap, which several may share; their INSERTs then deadlock.</source>
        <translation>缺失的行锁住的是间隙，多个会话可以共享；随后的 INSERT 会死锁。</translation>
    </message>
    <message>
        <source>Evenly</source>
        <translation>均匀</translation>
    </message>
    <message>
        <source>Writes of a holder whose lock had ended, refused by the fence or with its transaction.</source>
        <translation>锁已结束的持有者的写入，被防护令牌检查拒绝，或随其事务一同作废。</translation>
    </message>
    <message>
        <source>Crash</source>
        <translation>杀死</translation>
    </message>
    <message>
        <source>Freeze</source>
        <translation>冻结</translation>
    </message>
    <message>
        <source>Restart</source>
        <translation>重启</translation>
    </message>
    <message>
        <source>Crowd</source>
        <translation>增派</translation>
    </message>
    <message>
        <source>Cut off</source>
        <translation>断网</translation>
    </message>
    <message>
        <source>Slow down</source>
        <translation>减速</translation>
    </message>
    <message>
        <source>A worker went on after its time was up, beside the next one. No TTL can prevent that. Where the fence refused what it wrote, or its transaction was gone, it did no harm.</source>
        <translation>某个工作者在时限已到之后仍与下一个持有者同时工作。任何 TTL 都无法防止这一点。若其写入被栅栏拒绝，或其事务已不存在，则没有造成损害。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln job(s) done again</source>
        <translation>
            <numerusform>%Ln 个任务被重复执行</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2 writes lost</source>
        <translation>%2 次写入中丢失 %1 次</translation>
    </message>
    <message numerus="yes">
        <source>%Ln write(s) accepted after the lock had ended</source>
        <translation>
            <numerusform>锁失效后仍接受了 %Ln 次写入</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln time(s) two held one resource at once</source>
        <translation>
            <numerusform>%Ln 次有两者同时持有同一资源</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln time(s) two held one resource at once: harmless, no late write was accepted (%1 refused)</source>
        <translation>
            <numerusform>%Ln 次有两者同时持有同一资源：无害，迟到的写入均未被接受（拒绝了 %1 次）</numerusform>
        </translation>
    </message>
    <message>
        <source>after a crash nobody was granted it for %1</source>
        <translation>崩溃之后 %1 内没有任何请求获得授予</translation>
    </message>
    <message numerus="yes">
        <source>%Ln deadlock(s)</source>
        <translation>
            <numerusform>%Ln 次死锁</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln request(s) gave up waiting</source>
        <translation>
            <numerusform>%Ln 个请求放弃了等待</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>no harm in %Ln grant(s)</source>
        <translation>
            <numerusform>%Ln 次授予，没有造成损害</numerusform>
        </translation>
    </message>
    <message>
        <source>nobody was granted anything</source>
        <translation>没有任何请求获得授予</translation>
    </message>
    <message numerus="yes">
        <source>%Ln time(s) a holder worked on past its time: harmless, no late write was accepted (%1 refused)</source>
        <translation>
            <numerusform>%Ln 次持有者超时后继续工作：无害，迟到的写入均未被接受（拒绝了 %1 次）</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln time(s) a holder worked on past its time</source>
        <translation>
            <numerusform>%Ln 次持有者超时后继续工作</numerusform>
        </translation>
    </message>
    <message>
        <source>%1; %2</source>
        <translation>%1；%2</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1。</translation>
    </message>
    <message>
        <source>Nothing is held: whoever commits from an old version does the work again.</source>
        <translation>不持有任何锁：基于旧版本提交的一方须重做。</translation>
    </message>
    <message>
        <source>Jobs that were done again although they may be done only once.</source>
        <translation>只允许做一次、却又被重做的作业。</translation>
    </message>
    <message>
        <source>A job deletes rows older than the TTL, including those of holders that are merely slow.</source>
        <translation>由作业删除早于 TTL 的行，连只是较慢的持有者的行也一并删除。</translation>
    </message>
    <message>
        <source>SIGKILL to a worker that holds a lock; another takes its place. Needs workers that are processes.</source>
        <translation>向一个正在持有的工作者发送 SIGKILL；由另一个顶替。要求工作者为独立进程。</translation>
    </message>
    <message>
        <source>SIGSTOP to a worker that holds a lock, for one and a half TTLs; then it goes on as if nothing had happened. Needs workers that are processes.</source>
        <translation>向一个正在持有的工作者发送 SIGSTOP，持续 1.5 个 TTL；之后它若无其事地继续。要求工作者为独立进程。</translation>
    </message>
    <message>
        <source>The network of a worker that holds a lock carries nothing for one and a half TTLs; then everything arrives. Needs workers that are processes.</source>
        <translation>一个正在持有的工作者的网络在 1.5 个 TTL 内不传输任何数据；之后全部送达。要求工作者为独立进程。</translation>
    </message>
    <message>
        <source>Each packet of a worker that holds a lock takes 100 ms longer, for one and a half TTLs. Needs workers that are processes.</source>
        <translation>一个正在持有的工作者的每个数据包都延迟 100 ms，持续 1.5 个 TTL。要求工作者为独立进程。</translation>
    </message>
    <message>
        <source>Each write tells which version it overwrote. Versions between the one that was read and that one were lost.</source>
        <translation>每次写入都说明它覆盖的是哪个版本。从所读版本到该版本之间的版本即为丢失。</translation>
    </message>
    <message>
        <source>Writes that were accepted although a later holder had been there. Only without the fence.</source>
        <translation>已有后来的持有者写过，却仍被接受的写入。仅在没有防护时出现。</translation>
    </message>
    <message>
        <source>Pieces that were sold but were not in stock. At the end of the run they are counted again from the rows.</source>
        <translation>卖出了却并不存在的件数。运行结束时会再按数据行核对一次。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln piece(s) sold that were not in stock</source>
        <translation>
            <numerusform>卖出了 %Ln 件不存在的货品</numerusform>
        </translation>
    </message>
    <message>
        <source>Redis: SETNX, then EXPIRE</source>
        <translation>Redis：先 SETNX，再 EXPIRE</translation>
    </message>
    <message>
        <source>Two commands: who dies in between locks for ever. DEL also frees the next holder&apos;s lock.</source>
        <translation>两条命令：在中间崩溃者永久锁住。DEL 还会释放下一个持有者的锁。</translation>
    </message>
    <message>
        <source>Redis: deadline and GETSET</source>
        <translation>Redis：截止时间与 GETSET</translation>
    </message>
    <message>
        <source>The clients&apos; clocks decide, and a slow holder&apos;s release deletes the next holder&apos;s lock.</source>
        <translation>由各客户端的时钟决定，而且慢持有者释放时会删除下一个持有者的锁。</translation>
    </message>
    <message>
        <source>Redis: SET NX PX</source>
        <translation>Redis：SET NX PX</translation>
    </message>
    <message>
        <source>Deletes only its own, but has no token: nobody refuses what a slow holder writes after its TTL.</source>
        <translation>只删除自己的锁，但没有令牌：慢持有者在 TTL 之后的写入无人拒绝。</translation>
    </message>
    <message>
        <source>Redis: SET NX PX, woken</source>
        <translation>Redis：SET NX PX，带唤醒</translation>
    </message>
    <message>
        <source>The same, woken by a message: quick, unfair, and still without a token.</source>
        <translation>同上，由消息唤醒：快，不公平，仍然没有令牌。</translation>
    </message>
    <message>
        <source>Unique, on Redis</source>
        <translation>唯一，基于 Redis</translation>
    </message>
    <message>
        <source>The engine&apos;s lease on Redis: fair, woken, fenced. A Redis that forgets lets two hold; the fence then refuses the first.</source>
        <translation>引擎在 Redis 上的租约：公平、唤醒、有防护。若 Redis 遗忘，会有两个同时持有；此时防护令牌拒绝前一个。</translation>
    </message>
    <message>
        <source>Redlock, five Redis</source>
        <translation>Redlock，五个 Redis</translation>
    </message>
    <message>
        <source>The majority of five. Nodes that forget, or whose clocks jump, let two hold, and no token tells them apart.</source>
        <translation>五个中的多数。节点遗忘或时钟跳变会让两个同时持有，而且没有令牌能区分它们。</translation>
    </message>
    <message>
        <source>In memory only</source>
        <translation>仅在内存中</translation>
    </message>
    <message>
        <source>On disk each second</source>
        <translation>每秒写入磁盘</translation>
    </message>
    <message>
        <source>On disk with each write</source>
        <translation>每次写入都落盘</translation>
    </message>
    <message>
        <source>Node forgets</source>
        <translation>节点遗忘</translation>
    </message>
    <message>
        <source>A node of the run is killed and started again: a Redis in memory has forgotten who holds, the others have not.</source>
        <translation>运行所用的一个节点被终止并重新启动：仅在内存中的 Redis 已忘记谁在持有，其他存储则没有。</translation>
    </message>
    <message>
        <source>Clock jump</source>
        <translation>时钟跳变</translation>
    </message>
    <message>
        <source>The clock of a Redis of the run goes ahead, so that its locks end early.</source>
        <translation>运行所用的一个 Redis 的时钟向前跳变，使它的锁提前结束。</translation>
    </message>
    <message>
        <source>Failover</source>
        <translation>故障转移</translation>
    </message>
    <message>
        <source>The replica of the run&apos;s Redis takes its place, without what it was not told of.</source>
        <translation>运行所用 Redis 的副本接替它，但没有尚未告知它的内容。</translation>
    </message>
    <message>
        <source>Unique, on ZooKeeper</source>
        <translation>唯一，基于 ZooKeeper</translation>
    </message>
    <message>
        <source>The engine&apos;s lease on ZooKeeper: fair, woken one by one, fenced. A killed server forgets nothing, and of three one may be gone.</source>
        <translation>引擎在 ZooKeeper 上的租约：公平、逐个唤醒、有防护。被终止的服务器什么也不会忘记；三台中可以缺一台。</translation>
    </message>
    <message>
        <source>ZooKeeper: the herd</source>
        <translation>ZooKeeper：惊群</translation>
    </message>
    <message>
        <source>One node that all watch: each release wakes everybody for one to win, and there is no token.</source>
        <translation>大家都监视同一个节点：每次释放唤醒所有人，却只有一个得到锁；没有令牌。</translation>
    </message>
    <message numerus="yes">
        <source>%1, %Ln server(s)</source>
        <translation>
            <numerusform>%1，%Ln 台服务器</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>%1, without the fence</source>
        <translation>%1，不检查令牌</translation>
    </message>
    <message>
        <source>Pause node</source>
        <translation>暂停节点</translation>
    </message>
    <message>
        <source>SIGSTOP to a node of the run, for one and a half TTLs: nobody gets an answer.</source>
        <translation>对运行所用的一个节点发 SIGSTOP，持续一倍半 TTL：谁也得不到回答。</translation>
    </message>
    <message>
        <source>Kill leader</source>
        <translation>终止领导者</translation>
    </message>
    <message>
        <source>Cut node off</source>
        <translation>断开节点</translation>
    </message>
    <message>
        <source>No worker reaches a node of the run for one and a half TTLs; then everything arrives.</source>
        <translation>一个半 TTL 内没有工作者能到达本次运行的一个节点；之后一切送达。</translation>
    </message>
    <message>
        <source>SIGKILL to the node that leads the others; after one and a half TTLs it is started again.</source>
        <translation>对领导其他节点的节点发 SIGKILL；一倍半 TTL 之后重新启动。</translation>
    </message>
    <message>
        <source>Unique, on etcd</source>
        <translation>唯一，基于 etcd</translation>
    </message>
    <message>
        <source>The engine&apos;s lease on etcd: fair, woken one by one, fenced, in whole seconds. A killed member forgets nothing, and of three one may be gone.</source>
        <translation>引擎在 etcd 上的租约：公平、逐个唤醒、有防护，以整秒计。被终止的成员什么也不会忘记；三个中可以缺一个。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LaneBar</name>
    <message>
        <source>Live</source>
        <translation>实时</translation>
    </message>
    <message>
        <source>As it happens</source>
        <translation>与发生同步</translation>
    </message>
    <message>
        <source>1/10</source>
        <translation>1/10</translation>
    </message>
    <message>
        <source>Slow motion, from this moment on; the run goes on meanwhile</source>
        <translation>从此刻起慢放；运行同时继续</translation>
    </message>
    <message>
        <source>1/100</source>
        <translation>1/100</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>The picture stands still; the run goes on (Space, in the picture)</source>
        <translation>画面静止；运行继续（在图中按 Space）</translation>
    </message>
    <message>
        <source>‹ Step</source>
        <translation>‹ 单步</translation>
    </message>
    <message>
        <source>Step ›</source>
        <translation>单步 ›</translation>
    </message>
    <message>
        <source>On to the next event, and what happened there (Right, in the picture)</source>
        <translation>前进到下一个事件，并说明发生了什么（在图中按 Right）</translation>
    </message>
    <message>
        <source>−</source>
        <translation>−</translation>
    </message>
    <message>
        <source>Show more time (-, in the picture, or Ctrl and the wheel)</source>
        <translation>显示更长的时间（在图中按 -，或 Ctrl 加滚轮）</translation>
    </message>
    <message>
        <source>+</source>
        <translation>+</translation>
    </message>
    <message>
        <source>Show less time (+, in the picture, or Ctrl and the wheel)</source>
        <translation>显示更短的时间（在图中按 +，或 Ctrl 加滚轮）</translation>
    </message>
    <message>
        <source>Back to the previous event (Left, in the picture)</source>
        <translation>回到上一个事件（在图中按 Left）</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LaneView</name>
    <message>
        <source>What each worker does</source>
        <translation>各工作者在做什么</translation>
    </message>
    <message>
        <source>Nothing happened after this in the recording.</source>
        <translation>录制中此后没有事件。</translation>
    </message>
    <message>
        <source>Nothing is known about the time before this.</source>
        <translation>此前的情况未知。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LaneText</name>
    <message>
        <source>nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Worker %1</source>
        <translation>工作者 %1</translation>
    </message>
    <message>
        <source>rests</source>
        <translation>休息</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>holds</source>
        <translation>持有</translation>
    </message>
    <message>
        <source>killed</source>
        <translation>被杀死</translation>
    </message>
    <message>
        <source>frozen</source>
        <translation>冻结</translation>
    </message>
    <message>
        <source>cut off</source>
        <translation>断网</translation>
    </message>
    <message>
        <source>slow network</source>
        <translation>网络慢</translation>
    </message>
    <message>
        <source>%1 asks for %2, which nobody holds.</source>
        <translation>%1 请求 %2，目前无人持有。</translation>
    </message>
    <message>
        <source>%1 asks for %2, which worker %3 holds.</source>
        <translation>%1 请求 %2，目前由工作者 %3 持有。</translation>
    </message>
    <message>
        <source>%1&apos;s write to %2 is refused: a later holder has been there.</source>
        <translation>%1 对 %2 的写入被拒绝：已有后来的持有者写过。</translation>
    </message>
    <message>
        <source>%1 writes to %2 although a later holder has been there.</source>
        <translation>%1 写入 %2，尽管已有后来的持有者写过。</translation>
    </message>
    <message>
        <source>%1 is killed; another process takes its place.</source>
        <translation>%1 被杀死；由另一个进程顶替。</translation>
    </message>
    <message>
        <source>%1 is frozen, with %2.</source>
        <translation>%1 被冻结，持有 %2。</translation>
    </message>
    <message>
        <source>%1 is frozen.</source>
        <translation>%1 被冻结。</translation>
    </message>
    <message>
        <source>%1 got %2</source>
        <translation>%1 获得 %2</translation>
    </message>
    <message numerus="yes">
        <source>%1 got %2 after %3 and %n conflict(s)</source>
        <translation>
            <numerusform>%1 经过 %3 和 %n 次冲突后获得 %2</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 got %2 after %3</source>
        <translation>%1 经过 %3 后获得 %2</translation>
    </message>
    <message>
        <source>%1: nobody had it before.</source>
        <translation>%1：此前无人持有。</translation>
    </message>
    <message>
        <source>%1, again.</source>
        <translation>%1：上一个持有者也是它自己。</translation>
    </message>
    <message>
        <source>%1 although worker %2 still works with it: its time was up.</source>
        <translation>%1，而工作者 %2 仍在使用它：后者的期限已到。</translation>
    </message>
    <message>
        <source>%1: worker %2, which had it, was killed %3 before.</source>
        <translation>%1：此前持有它的工作者 %2 已在 %3 前被杀死。</translation>
    </message>
    <message>
        <source>%1: it was free since worker %2 released it.</source>
        <translation>%1：自工作者 %2 释放后一直空闲。</translation>
    </message>
    <message>
        <source>%1 because worker %2 released it.</source>
        <translation>%1，因为工作者 %2 释放了它。</translation>
    </message>
    <message>
        <source>%1 releases %2 after %3.</source>
        <translation>%1 在 %3 后释放 %2。</translation>
    </message>
    <message>
        <source>%1 releases %2.</source>
        <translation>%1 释放 %2。</translation>
    </message>
    <message>
        <source>%1 did not get %2 and does not wait.</source>
        <translation>%1 未获得 %2，且不等待。</translation>
    </message>
    <message>
        <source>%1 gives up waiting for %2 after %3.</source>
        <translation>%1 等待 %2 达 %3 后放弃。</translation>
    </message>
    <message>
        <source>The server ends %1&apos;s wait for %2: a deadlock.</source>
        <translation>服务器终止了 %1 对 %2 的等待：死锁。</translation>
    </message>
    <message>
        <source>%1 meets an error.</source>
        <translation>%1 遇到错误。</translation>
    </message>
    <message>
        <source>%1 stops waiting: the run ends.</source>
        <translation>%1 停止等待：运行结束。</translation>
    </message>
    <message>
        <source>%1 rests.</source>
        <translation>%1 休息。</translation>
    </message>
    <message numerus="yes">
        <source>%1 held %n time(s) in these %2.</source>
        <translation>
            <numerusform>%1 在这 %2 内持有 %n 次。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 has waited for %2 for %3.</source>
        <translation>%1 等待 %2 已有 %3。</translation>
    </message>
    <message>
        <source>%1 waited %3 for %2.</source>
        <translation>%1 等待了 %3 以获得 %2。</translation>
    </message>
    <message>
        <source>%1 has held %2 for %3.</source>
        <translation>%1 持有 %2 已有 %3。</translation>
    </message>
    <message>
        <source>%1 held %2 for %3.</source>
        <translation>%1 持有了 %2，共 %3。</translation>
    </message>
    <message>
        <source>%1 was killed.</source>
        <translation>%1 曾被杀死。</translation>
    </message>
    <message>
        <source>%1 was frozen for %2.</source>
        <translation>%1 被冻结了 %2。</translation>
    </message>
    <message>
        <source>%1&apos;s network carried nothing for %2.</source>
        <translation>%1 的网络中断了 %2。</translation>
    </message>
    <message>
        <source>%1&apos;s network was slow for %2.</source>
        <translation>%1 的网络缓慢了 %2。</translation>
    </message>
    <message>
        <source>%1 rested.</source>
        <translation>%1 休息过。</translation>
    </message>
    <message>
        <source>stale write</source>
        <translation>过期写入</translation>
    </message>
    <message>
        <source>%1 wrote to %2 with a token that a later one had followed.</source>
        <translation>%1 用已被更新令牌取代的令牌写入了 %2。</translation>
    </message>
    <message>
        <source>%1 goes on as if nothing had happened.</source>
        <translation>%1 若无其事地继续。</translation>
    </message>
    <message>
        <source>%1 asks for %2, which by its own account it still holds.</source>
        <translation>%1 请求 %2，而按它自己的记录，它尚未归还该资源。</translation>
    </message>
    <message>
        <source>%1 is done and finds that %2 was no longer its own.</source>
        <translation>%1 完成工作，发现 %2 已不再属于自己。</translation>
    </message>
    <message numerus="yes">
        <source>Its write overwrote %n change(s) by others.</source>
        <translation>
            <numerusform>它的写入覆盖了其他工作者的 %n 次更改。</numerusform>
        </translation>
    </message>
    <message>
        <source>refused write</source>
        <translation>被拒绝的写入</translation>
    </message>
    <message>
        <source>%1&apos;s write to %2 was refused.</source>
        <translation>%1 对 %2 的写入被拒绝。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LatencyPage</name>
    <message>
        <source>Latency over time</source>
        <translation>延迟随时间变化</translation>
    </message>
    <message>
        <source>Rate over time</source>
        <translation>速率随时间变化</translation>
    </message>
    <message>
        <source>Second chart</source>
        <translation>第二张图</translation>
    </message>
    <message>
        <source>What the second chart shows</source>
        <translation>第二张图显示什么</translation>
    </message>
    <message>
        <source>Granted per second</source>
        <translation>每秒授予</translation>
    </message>
    <message>
        <source>Requests waiting, on average</source>
        <translation>等待中的请求（平均）</translation>
    </message>
    <message>
        <source>Timed out per second</source>
        <translation>每秒超时</translation>
    </message>
    <message>
        <source>Busy per second</source>
        <translation>每秒忙</translation>
    </message>
    <message>
        <source>Conflicts per second</source>
        <translation>每秒冲突</translation>
    </message>
    <message>
        <source>Retries per second (sampled)</source>
        <translation>每秒重试（采样）</translation>
    </message>
    <message>
        <source>Row-lock waits per second, all programs (sampled)</source>
        <translation>每秒行锁等待次数，所有程序（采样）</translation>
    </message>
    <message>
        <source>Seconds waited for row locks per second (sampled)</source>
        <translation>每秒行锁等待秒数（采样）</translation>
    </message>
    <message>
        <source>Reading measurements</source>
        <translation>正在读取测量数据</translation>
    </message>
    <message>
        <source>What programs measured on this server appears in a moment.</source>
        <translation>程序在此服务器上测得的数据稍后显示。</translation>
    </message>
    <message>
        <source>%1: %2 released by force (%3)</source>
        <translation>%1：%2 被强制释放（%3）</translation>
    </message>
    <message>
        <source>Nothing was measured in this time</source>
        <translation>此时段内没有测量数据</translation>
    </message>
    <message>
        <source>Programs with the engine write here how long their locks took, every 5 seconds. Choose a longer period, or let one run:</source>
        <translation>使用引擎的程序每 5 秒在此服务器写入其锁所用的时间。请选择更长的时段，或运行一个：</translation>
    </message>
    <message>
        <source>median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>95 %</source>
        <translation>95 %</translation>
    </message>
    <message>
        <source>99 %</source>
        <translation>99 %</translation>
    </message>
    <message>
        <source>longest</source>
        <translation>最长</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1: the server was started</source>
        <translation>%1：服务器启动</translation>
    </message>
    <message>
        <source>There are more measurements than can be read at once. Choose a shorter period.</source>
        <translation>测量数据过多，无法一次读完。请选择更短的时段。</translation>
    </message>
    <message numerus="yes">
        <source>%n measurement(s) could not be read: damaged, or written by a newer version.</source>
        <translation>
            <numerusform>%n 项测量数据无法读取：已损坏，或由更新的版本写入。</numerusform>
        </translation>
    </message>
    <message>
        <source>Latency</source>
        <translation>延迟</translation>
    </message>
    <message>
        <source>nothing is measured there.</source>
        <translation>那里没有任何测量。</translation>
    </message>
    <message>
        <source>Who waited</source>
        <translation>谁在等待</translation>
    </message>
    <message>
        <source>Who held</source>
        <translation>谁在持有</translation>
    </message>
    <message>
        <source>All programs in this period, by the prefix of their resources: engines do not count single resources.</source>
        <translation>该时段内的所有程序，按其资源的前缀：引擎不对单个资源计数。</translation>
    </message>
    <message>
        <source>How long locks took, as the programs themselves measured it: each counts every request and writes its counts every 5 seconds, so nothing is sampled unless it says so.

Median, 95 %, 99 % and the longest are those of requests that were granted; they come from counts and are exact to 3 %. Waiting is how many requests waited at a time, on average.

The tables rank all programs of the period, with the prefix of their resources; engines do not count single resources. Click one for its charts and for who held these resources meanwhile, and once more for all.

Wheel or + and − zoom, dragging or Shift with an arrow key pans, the arrow keys move the crosshair, Home goes back to now. Ctrl+E exports as PNG, SVG or CSV. Dotted lines mark releases by force and the server&apos;s start.</source>
        <translation>锁所用的时间，由程序自行测量：每个程序对所有请求计数，每 5 秒写入一次计数，因此除注明者外均非采样。

中位数、95 %、99 % 和最长值针对已授予的请求；它们由计数得出，误差不超过 3 %。“等待”是平均同时等待的请求数。

下方两个表按资源名称前缀对该时段内的所有程序排名；引擎不对单个资源计数。单击一行可查看其图表以及同期持有这些资源的程序，再次单击则恢复为全部。

滚轮或 + 和 − 缩放，拖动或 Shift 加方向键平移，方向键移动十字线，Home 回到现在。Ctrl+E 导出为 PNG、SVG 或 CSV。虚线标记强制释放和服务器启动。</translation>
    </message>
    <message>
        <source>Nothing is measured here</source>
        <translation>此处没有测量</translation>
    </message>
    <message>
        <source>No measurements could be read</source>
        <translation>无法读取测量数据</translation>
    </message>
    <message>
        <source>No latencies were recorded in this time</source>
        <translation>这段时间没有录制到延迟</translation>
    </message>
    <message>
        <source>They come from programs with the engine. Choose a longer period or another moment; a recording of a server without such programs has none.</source>
        <translation>延迟来自使用引擎的程序。请选择更长的时段或另一时刻；如果服务器上没有这样的程序，录制中就没有延迟。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LatencySummary</name>
    <message>
        <source>How often</source>
        <translation>频次</translation>
    </message>
    <message>
        <source>Row locks of all programs</source>
        <translation>所有程序的行锁</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>95 %</source>
        <translation>95 %</translation>
    </message>
    <message>
        <source>99 %</source>
        <translation>99 %</translation>
    </message>
    <message>
        <source>Longest</source>
        <translation>最长</translation>
    </message>
    <message>
        <source>Granted</source>
        <translation>授予</translation>
    </message>
    <message>
        <source>Per second</source>
        <translation>每秒</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>Busy</source>
        <translation>忙</translation>
    </message>
    <message>
        <source>Timed out</source>
        <translation>超时</translation>
    </message>
    <message>
        <source>Conflicts</source>
        <translation>冲突</translation>
    </message>
    <message>
        <source>Other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>At %1</source>
        <translation>时刻 %1</translation>
    </message>
    <message>
        <source>Whole period</source>
        <translation>整个时段</translation>
    </message>
    <message>
        <source>Not sampled yet.</source>
        <translation>尚未采样。</translation>
    </message>
    <message>
        <source>Waits: %1 (%2 per second), %3 on average. Waiting now: %4</source>
        <translation>等待：%1 次（每秒 %2 次），平均 %3。当前等待：%4</translation>
    </message>
    <message>
        <source>How often each duration came</source>
        <translation>各时长出现的频率</translation>
    </message>
    <message>
        <source>was %1</source>
        <translation>原为 %1</translation>
    </message>
    <message numerus="yes">
        <source>Sampled every %n s from the server&apos;s counters while this page is open. They tell neither percentiles nor who waited, count a wait below 1 ms as none, and include those of pessimistic mode.</source>
        <translation>
            <numerusform>仅在此页面打开时，每 %n s 从服务器计数器采样一次。这些数据不提供百分位数，也不说明谁在等待，低于 1 ms 的等待计为零，并包含悲观模式的等待。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LockInspector</name>
    <message>
        <source>with its transaction</source>
        <translation>随其事务结束</translation>
    </message>
    <message>
        <source>never</source>
        <translation>永不</translation>
    </message>
    <message>
        <source>TTL %1</source>
        <translation>TTL %1</translation>
    </message>
    <message>
        <source>no TTL</source>
        <translation>无 TTL</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>in %1, %2</source>
        <translation>%1 后，%2</translation>
    </message>
    <message>
        <source>Select a lock to see its owner, its queue and what happened to it.</source>
        <translation>选择一个锁，查看其所有者、队列和历史事件。</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>令牌</translation>
    </message>
    <message>
        <source>Owner</source>
        <translation>所有者</translation>
    </message>
    <message>
        <source>Process</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>Session</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>Since</source>
        <translation>起始</translation>
    </message>
    <message>
        <source>Ends</source>
        <translation>到期</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Last minute</source>
        <translation>最近 1 分钟</translation>
    </message>
    <message>
        <source>In all</source>
        <translation>累计</translation>
    </message>
    <message>
        <source>Retries</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Last commit</source>
        <translation>上次提交</translation>
    </message>
    <message>
        <source>SQL that would release it</source>
        <translation>用于释放的 SQL</translation>
    </message>
    <message>
        <source>No lock selected</source>
        <translation>未选择锁</translation>
    </message>
    <message>
        <source>alive, connection %1</source>
        <translation>存活，连接 %1</translation>
    </message>
    <message>
        <source>gone</source>
        <translation>已断</translation>
    </message>
    <message>
        <source>Session id %1</source>
        <translation>会话 ID %1</translation>
    </message>
    <message>
        <source>no attempts</source>
        <translation>没有尝试</translation>
    </message>
    <message>
        <source>%1 conflicts: %2</source>
        <translation>冲突率 %1：%2</translation>
    </message>
    <message>
        <source>not watched for long enough</source>
        <translation>观察时间尚不足</translation>
    </message>
    <message>
        <source>Counted since %1, last at %2</source>
        <translation>自 %1 起统计，最近一次在 %2</translation>
    </message>
    <message>
        <source>in the application&apos;s own table</source>
        <translation>在应用程序自己的表中</translation>
    </message>
    <message>
        <source>The table of %1 is gone, or cannot be seen any more: whether it is free is not known. Below is how it was when last seen held.</source>
        <translation>%1 所在的表已不存在或无法再看到：它是否空闲无从得知。下面是上次看到它被持有时的情况。</translation>
    </message>
    <message>
        <source>%1 is free now. Below is how it was when last seen held.</source>
        <translation>%1 现已空闲。以下是最后一次看到它被持有时的情况。</translation>
    </message>
    <message>
        <source>Nobody has tried to commit %1 for ten minutes. Below is how it was.</source>
        <translation>十分钟内无人尝试提交 %1。以下是当时的情况。</translation>
    </message>
    <message>
        <source>Who waits is unknown</source>
        <translation>等待者未知</translation>
    </message>
    <message>
        <source>Nobody waits</source>
        <translation>无人等待</translation>
    </message>
    <message>
        <source>Queue (%1)</source>
        <translation>队列（%1）</translation>
    </message>
    <message>
        <source>No events on record</source>
        <translation>没有事件记录</translation>
    </message>
    <message>
        <source>Recent events</source>
        <translation>最近的事件</translation>
    </message>
    <message>
        <source>Account</source>
        <translation>账户</translation>
    </message>
    <message>
        <source>Statement</source>
        <translation>语句</translation>
    </message>
    <message>
        <source>when it is given back, or with its session</source>
        <translation>归还时，或随其会话结束</translation>
    </message>
    <message>
        <source>when it is given back, or with its transaction or session</source>
        <translation>归还时，或随其事务或会话结束</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>行</translation>
    </message>
    <message numerus="yes">
        <source>… and %n more</source>
        <translation>
            <numerusform>…… 还有 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>Program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>Clock</source>
        <translation>时钟</translation>
    </message>
    <message>
        <source>Not known</source>
        <translation>未知之处</translation>
    </message>
    <message>
        <source>Remark</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>Release</source>
        <translation>释放</translation>
    </message>
    <message>
        <source>Row</source>
        <translation>行</translation>
    </message>
    <message>
        <source>What would release it</source>
        <translation>释放它所发送的内容</translation>
    </message>
    <message>
        <source>alive</source>
        <translation>存活</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>in %1</source>
        <translation>%1 后</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LockTableModel</name>
    <message>
        <source>Free</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>Quiet</source>
        <translation>无活动</translation>
    </message>
    <message>
        <source>alive</source>
        <translation>存活</translation>
    </message>
    <message>
        <source>gone</source>
        <translation>已断</translation>
    </message>
    <message>
        <source>%1
%2 bytes: %3</source>
        <translation>%1
%2 字节：%3</translation>
    </message>
    <message>
        <source>It was released a moment ago.</source>
        <translation>它刚刚被释放。</translation>
    </message>
    <message>
        <source>Nobody has tried it for ten minutes.</source>
        <translation>十分钟内无人尝试提交。</translation>
    </message>
    <message>
        <source>The lease has no end: only its holder or an operator releases it.</source>
        <translation>租约没有期限：只有其持有者或操作员能释放。</translation>
    </message>
    <message>
        <source>Ends %1 unless it is renewed; each renewal gives %2</source>
        <translation>若不续租，将于 %1 到期；每次续租获得 %2</translation>
    </message>
    <message>
        <source>Version %1: each commit raises it by one.</source>
        <translation>版本 %1：每次提交加一。</translation>
    </message>
    <message>
        <source>Fencing token %1: a store that remembers the highest one refuses every older holder.</source>
        <translation>防护令牌 %1：记住最高令牌的存储端会拒绝所有较早的持有者。</translation>
    </message>
    <message>
        <source>Connection %1</source>
        <translation>连接 %1</translation>
    </message>
    <message>
        <source>Resource</source>
        <translation>资源</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Owner</source>
        <translation>所有者</translation>
    </message>
    <message>
        <source>Process</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Held for</source>
        <translation>已持有</translation>
    </message>
    <message>
        <source>TTL</source>
        <translation>TTL</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>令牌</translation>
    </message>
    <message>
        <source>Wait</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>Session</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>How many wait; for optimistic resources the share of attempts that met a conflict</source>
        <translation>等待者的数量；对乐观资源则为遇到冲突的尝试所占比例</translation>
    </message>
    <message>
        <source>session</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>It ends when its holder gives it back, or with the holder&apos;s session, whose end the server does not tell.</source>
        <translation>它在持有者归还时结束，或随持有者的会话结束；服务器不告知会话何时结束。</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>Ends %1 unless it is renewed</source>
        <translation>%1 结束，除非续期</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LocksPage</name>
    <message>
        <source>&amp;Inspector</source>
        <translation>检查器(&amp;I)</translation>
    </message>
    <message>
        <source>Show 10 times as many</source>
        <translation>显示 10 倍数量</translation>
    </message>
    <message>
        <source>Start the private server</source>
        <translation>启动私有服务器</translation>
    </message>
    <message>
        <source>Install lock tables</source>
        <translation>安装锁所用的数据表</translation>
    </message>
    <message>
        <source>Show or hide what is known of the selected lock (Enter)</source>
        <translation>显示或隐藏所选锁的详情（Enter）</translation>
    </message>
    <message>
        <source>Locks</source>
        <translation>锁</translation>
    </message>
    <message>
        <source>Locks without a living session: %1</source>
        <translation>会话已不存在的锁：%1</translation>
    </message>
    <message>
        <source>This server is read-only, perhaps a replica: it cannot tell whether a holder is alive, and what it shows may be old.</source>
        <translation>此服务器为只读，可能是副本：它无法判断持有者是否存活，显示的内容也可能已过时。</translation>
    </message>
    <message>
        <source>Starting the private server…</source>
        <translation>正在启动私有服务器…</translation>
    </message>
    <message>
        <source>The first start takes a few seconds.</source>
        <translation>首次启动需要几秒钟。</translation>
    </message>
    <message>
        <source>Connecting to %1…</source>
        <translation>正在连接到 %1…</translation>
    </message>
    <message>
        <source>No lock matches</source>
        <translation>没有匹配的锁</translation>
    </message>
    <message>
        <source>Hidden by the filter: %1.</source>
        <translation>被筛选隐藏：%1。</translation>
    </message>
    <message>
        <source>Clear filter</source>
        <translation>清除筛选</translation>
    </message>
    <message>
        <source>Nothing is locked</source>
        <translation>没有锁</translation>
    </message>
    <message>
        <source>Locks appear here as soon as a program takes one. Try:</source>
        <translation>程序取得锁后会立即显示在这里。可以试试：</translation>
    </message>
    <message>
        <source>Locks with an alarm: %1</source>
        <translation>有警报的锁：%1</translation>
    </message>
    <message>
        <source>Locks with an alarm, among the %1 that were read: %2</source>
        <translation>已读取的 %1 个锁中有警报的锁：%2</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>正在搜索…</translation>
    </message>
    <message>
        <source>The server looks through all of its locks.</source>
        <translation>服务器正在查找其所有的锁。</translation>
    </message>
    <message>
        <source>None among the locks that were read</source>
        <translation>已读取的锁中没有</translation>
    </message>
    <message>
        <source>All locks of the server were searched.</source>
        <translation>已搜索服务器的所有锁。</translation>
    </message>
    <message>
        <source>What is listed is from %1.</source>
        <translation>所列内容来自 %1。</translation>
    </message>
    <message>
        <source>End session %1…</source>
        <translation>结束会话 %1…</translation>
    </message>
    <message>
        <source>End %1…</source>
        <translation>结束%1…</translation>
    </message>
    <message>
        <source>Release %1…</source>
        <translation>释放 %1…</translation>
    </message>
    <message>
        <source>Filter: words, or holder:ci waiters:&gt;3 kind:row</source>
        <translation>筛选：词语，或 holder:ci waiters:&gt;3 kind:row</translation>
    </message>
    <message>
        <source>%1 of %2 locks are listed. The filter searches all of them.</source>
        <translation>共 %2 个锁，已列出 %1 个。筛选会搜索全部。</translation>
    </message>
    <message>
        <source>Until then the filter looks for the text as it stands.</source>
        <translation>在此之前，筛选按原文查找。</translation>
    </message>
    <message>
        <source>The filter knows no field &quot;%1&quot;. It has %2. A name with a colon belongs in quotation marks.</source>
        <translation>筛选没有字段“%1”。可用字段：%2。带冒号的名称请放在引号中。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is nothing that %2 can be. It is one of %3.</source>
        <translation>“%1”不是 %2 的取值。可取：%3。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no number: write %2:3, %2:&gt;3 or %2:&lt;=3.</source>
        <translation>“%1”不是数字：请写 %2:3、%2:&gt;3 或 %2:&lt;=3。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no duration: write %2:&gt;30s, %2:&lt;5m or %2:&gt;=2h.</source>
        <translation>“%1”不是时长：请写 %2:&gt;30s、%2:&lt;5m 或 %2:&gt;=2h。</translation>
    </message>
    <message>
        <source>After %1: there is nothing to look for.</source>
        <translation>%1: 之后没有要查找的内容。</translation>
    </message>
    <message>
        <source>A quotation mark is open.</source>
        <translation>有一个引号没有闭合。</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>%1 of %2 locks were read so far.</source>
        <translation>共 %2 个锁，目前已读取 %1 个。</translation>
    </message>
    <message>
        <source>%1 of %2 locks were read. The buttons above choose among these, and count these.</source>
        <translation>共 %2 个锁，已读取 %1 个。上面的按钮只在其中筛选和计数。</translation>
    </message>
    <message>
        <source>Opening %1…</source>
        <translation>正在打开 %1…</translation>
    </message>
    <message>
        <source>Nothing was locked</source>
        <translation>没有锁</translation>
    </message>
    <message>
        <source>At this moment of the recording no lock was held.</source>
        <translation>在录制的这一时刻没有任何锁被持有。</translation>
    </message>
    <message>
        <source>only locks of the server itself and of other programs are listed.</source>
        <translation>只列出服务器自身的锁和其他程序的锁。</translation>
    </message>
    <message>
        <source>Every lock that is not free, as the server reports it twice a second.

Held: its session is alive. Orphan: its session is gone, but its time is not up. Expired: its time is up and nobody has taken it yet. Kept: released early, taken for the rest of its minimum time. Held row: a transaction holds it. Optimistic: nobody holds it; where others show who waits, it shows the share of attempts to commit that met a conflict in the last minute. Rows, Metadata and User lock: the server&apos;s own locks, of any program; they end with their session. In a table: another program keeps it in a table of its own; Lockscope reads what the row says. Redis key, ZooKeeper node, etcd key: another program keeps it there, as Lockscope knows from conventions; these are looked for more slowly, and the status line says how old the last look is.

A triangle beside the state is an alarm: hold the pointer over it. View, Alarms… says when there is one.

The TTL bar counts down on the server&apos;s clock; a living holder renews it at a third of its time.

The filter finds words in resource, owner and note, and fields: holder:ci waiters:&gt;3 kind:row,metadata state:orphan held:&gt;5m -note:nightly profile:ShedLock server:cache1. Other fields are resource, host, left, token, session and pid; = before a text means all of it, quotation marks keep spaces and colons together.

/ filters, Enter shows or hides the inspector, Del releases the selected lock, Space pauses, F5 refreshes now.</source>
        <translation>所有非空闲的锁，服务器每秒报告两次。

持有中：其会话存活。孤儿：其会话已不存在，但期限未到。已过期：期限已到，尚无人取得。保留中：已提前释放，在最短持有时间的剩余部分内仍被占用。行锁：由事务持有。乐观：无人持有；其他锁显示等待者之处，它显示最近一分钟内遇到冲突的提交尝试所占比例。行、元数据与用户锁：服务器自身的锁，来自任何程序；随其会话结束。在表中：其他程序把它保存在自己的表中；Lockscope 读取该行所示内容。Redis 键、ZooKeeper 节点、etcd 键：其他程序把它保存在那里，Lockscope 通过约定得知；这些锁查找得较慢，状态行会说明上次查看距今多久。

状态旁的三角形表示警报：把指针停在上面查看。何时报警在“查看”菜单的“警报…”中设置。

TTL 条按服务器时钟倒计时；存活的持有者每过 TTL 的三分之一续租一次。

筛选在资源、持有者和备注中查找词语，也支持字段：holder:ci waiters:&gt;3 kind:row,metadata state:orphan held:&gt;5m -note:nightly profile:ShedLock server:cache1。其他字段有 resource、host、left、token、session 和 pid；文本前加 = 表示完全相同，引号可保留空格和冒号。

/ 进行筛选，Enter 显示或隐藏检查器，Del 释放所选的锁，Space 暂停，F5 立即查询。</translation>
    </message>
    <message>
        <source>What is listed as unknown has the name of a lock and is none that Lockscope can read.</source>
        <translation>列为未知的条目带有锁的名称，但不是 Lockscope 能读取的锁。</translation>
    </message>
    <message>
        <source>No lock is known</source>
        <translation>没有已知的锁</translation>
    </message>
    <message numerus="yes">
        <source>%n servers of the list do not answer yet.</source>
        <translation>
            <numerusform>列表中有 %n 个服务器尚未响应。</numerusform>
        </translation>
    </message>
    <message>
        <source>What is listed of it is from %1.</source>
        <translation>所列内容中属于它的部分来自 %1。</translation>
    </message>
    <message>
        <source>Also &amp;keys that are perhaps locks</source>
        <translation>也列出可能是锁的键(&amp;K)</translation>
    </message>
    <message>
        <source>Only locks of other programs are listed.</source>
        <translation>只列出其他程序的锁。</translation>
    </message>
    <message>
        <source>In Redis also those of which only the name says so. They are listed, and never released</source>
        <translation>在 Redis 中也包括只有名称像锁的键。它们只被列出，从不释放</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::MainWindow</name>
    <message>
        <source>Lockscope</source>
        <translation>Lockscope</translation>
    </message>
    <message>
        <source>%1 – Lockscope</source>
        <translation>%1 – Lockscope</translation>
    </message>
    <message>
        <source>Operator mode</source>
        <translation>操作模式</translation>
    </message>
    <message>
        <source>Start operator mode</source>
        <translation>启动操作模式</translation>
    </message>
    <message>
        <source>Back to read-only</source>
        <translation>返回只读</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>A run is going on in the lab. Stop it first: the window has to be rebuilt for this.</source>
        <translation>实验室中有运行正在进行。请先停止：窗口需要重新创建。</translation>
    </message>
    <message>
        <source>Allow releasing locks and ending connections on %1?</source>
        <translation>允许在 %1 上释放锁和结束连接吗？</translation>
    </message>
    <message>
        <source>Allow releasing locks on %1?</source>
        <translation>允许在 %1 上释放锁吗？</translation>
    </message>
    <message>
        <source>No further window could be opened.</source>
        <translation>无法打开新的窗口。</translation>
    </message>
    <message>
        <source>The lock tables were not installed. %1</source>
        <translation>锁表未安装。%1</translation>
    </message>
    <message>
        <source>Connections are still being ended. Wait until that is done: what has not been sent yet would be lost with this window.</source>
        <translation>仍在结束连接。请等待其完成：尚未发送的部分会随此窗口一起丢失。</translation>
    </message>
    <message>
        <source>Open Lab</source>
        <translation>打开实验室</translation>
    </message>
    <message>
        <source>Contention on purpose, on the private server</source>
        <translation>在私有服务器上故意制造争用</translation>
    </message>
    <message>
        <source>Last time this window looked at %1.</source>
        <translation>此窗口上次查看的是 %1。</translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation>已打开 %1</translation>
    </message>
    <message>
        <source>Recorded · Show</source>
        <translation>已记录 · 显示</translation>
    </message>
    <message>
        <source>Show it on the page Events</source>
        <translation>在“事件”页中显示</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>For %1 minutes. You are asked again each time, and what you do is recorded with your name (%2).</source>
        <translation>持续 %1 分钟。每次都会再次询问，您的操作会以您的名字（%2）记录。</translation>
    </message>
    <message>
        <source>This is a recording: nothing of it can be changed.</source>
        <translation>这是录制：其中什么也不能更改。</translation>
    </message>
    <message>
        <source>This recording is not whole.</source>
        <translation>这个录制不完整。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::MessageBar</name>
    <message>
        <source>Close this message</source>
        <translation>关闭此消息</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::Notifier</name>
    <message>
        <source>Show it</source>
        <translation>显示</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::PageRail</name>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::QueueModel</name>
    <message>
        <source>connection %1</source>
        <translation>连接 %1</translation>
    </message>
    <message>
        <source>no connection</source>
        <translation>无连接</translation>
    </message>
    <message>
        <source>connection %1 · %2</source>
        <translation>连接 %1 · %2</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>#</source>
        <translation>#</translation>
    </message>
    <message>
        <source>Waits for it</source>
        <translation>等待者</translation>
    </message>
    <message>
        <source>For</source>
        <translation>已等待</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>Waits since %1</source>
        <translation>自 %1 起等待</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::RailButton</name>
    <message>
        <source>%1+</source>
        <translation>%1+</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::ReleaseController</name>
    <message>
        <source>Released %1 (token %2).</source>
        <translation>已释放 %1（令牌 %2）。</translation>
    </message>
    <message>
        <source>%1 holds it now, with token %2.</source>
        <translation>%1 现在持有它，令牌为 %2。</translation>
    </message>
    <message>
        <source>It is free.</source>
        <translation>它已空闲。</translation>
    </message>
    <message>
        <source>The next waiter could not be woken and will notice by itself soon. Waking it needs CONNECTION ADMIN.</source>
        <translation>未能唤醒下一个持有者，它稍后会自行发现。唤醒它需要 CONNECTION ADMIN 权限。</translation>
    </message>
    <message>
        <source>It is not known whether %1 was released. %2</source>
        <translation>不知道 %1 是否已释放。%2</translation>
    </message>
    <message>
        <source>%1 was not released. %2</source>
        <translation>%1 未释放。%2</translation>
    </message>
    <message>
        <source>%1 changed hands. Nothing was done.</source>
        <translation>%1 已换了持有者。未执行任何操作。</translation>
    </message>
    <message>
        <source>Another server was opened while locks of %1 were being released. Sent without an answer: %2.</source>
        <translation>在释放 %1 上的锁期间打开了另一台服务器。已发送但无答复：%2。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::ReleaseDialog</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Release lock</source>
        <translation>释放锁</translation>
    </message>
    <message>
        <source>Required; kept with your name in the events</source>
        <translation>必填；与您的名称一起记入事件</translation>
    </message>
    <message>
        <source>Releasing…</source>
        <translation>正在释放…</translation>
    </message>
    <message>
        <source>Release %1</source>
        <translation>释放 %1</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Look at the new holder</source>
        <translation>查看新的持有者</translation>
    </message>
    <message>
        <source>%1 is already released. Nothing was done.</source>
        <translation>%1 已经释放。未执行任何操作。</translation>
    </message>
    <message>
        <source>%1 changed hands: %2 holds it now, with token %3. Nothing was done.</source>
        <translation>%1 已换了持有者：现由 %2 持有，令牌为 %3。未执行任何操作。</translation>
    </message>
    <message>
        <source>Operator mode has ended: this server is read-only again.</source>
        <translation>操作模式已结束：此服务器恢复为只读。</translation>
    </message>
    <message>
        <source>Its session is alive: it may still be working. It learns of this at its next renewal, and its token will be refused from now on by stores that check.</source>
        <translation>其会话存活：可能仍在工作。它会在下次续租时得知此事，从现在起，校验令牌的存储端会拒绝其令牌。</translation>
    </message>
    <message>
        <source>Its session is gone, but its work may not be: its token will be refused from now on by stores that check.</source>
        <translation>其会话已不存在，但其工作可能仍在继续：从现在起，校验令牌的存储端会拒绝其令牌。</translation>
    </message>
    <message>
        <source>Left to itself, the lease ends in %1.</source>
        <translation>若不干预，租约将在 %1 后结束。</translation>
    </message>
    <message>
        <source>Asking the server who waits…</source>
        <translation>正在向服务器查询等待者…</translation>
    </message>
    <message>
        <source>Nobody waits: it becomes free.</source>
        <translation>无人等待：释放后即为空闲。</translation>
    </message>
    <message>
        <source>Next: %1, waiting %2.</source>
        <translation>下一个：%1，已等待 %2。</translation>
    </message>
    <message>
        <source>One more waits.</source>
        <translation>另有 1 个等待者。</translation>
    </message>
    <message>
        <source>%1 more wait.</source>
        <translation>另有 %1 个等待者。</translation>
    </message>
    <message>
        <source>Release %1 on %2?</source>
        <translation>释放 %2 上的 %1？</translation>
    </message>
    <message>
        <source>%1 has held it since %2 (%3), token %4.</source>
        <translation>%1 自 %2 起持有（%3），令牌为 %4。</translation>
    </message>
    <message>
        <source>This is exactly what is sent, with names and reason in hexadecimal.</source>
        <translation>发送的正是以上语句；名称和原因以十六进制文本表示。</translation>
    </message>
    <message>
        <source>%1 holds it, token %2.</source>
        <translation>%1 持有它，令牌 %2。</translation>
    </message>
    <message>
        <source>Next: %1.</source>
        <translation>下一个：%1。</translation>
    </message>
    <message>
        <source>This is exactly what is sent. The script compares and acts in one step: nothing else runs in between.</source>
        <translation>这正是所发送的内容。脚本在一步之内比较并执行：其间不会运行任何其他操作。</translation>
    </message>
    <message>
        <source>The node is read, compared, and deleted by its name, which no other request&apos;s node has.</source>
        <translation>先读取节点并比较，再按名称删除；其他请求的节点都没有这个名称。</translation>
    </message>
    <message>
        <source>One transaction compares and deletes: nothing else comes in between.</source>
        <translation>同一个事务比较并删除：其间不会插入任何其他操作。</translation>
    </message>
    <message>
        <source>whoever takes it next</source>
        <translation>下一个获得它的程序</translation>
    </message>
    <message>
        <source>Another program holds it. It is told nothing of this and works on: it and %1 may both work.</source>
        <translation>由另一个程序持有。它不会收到任何通知，会继续工作：它和 %1 可能同时工作。</translation>
    </message>
    <message>
        <source>Its session is alive: it may still be working. It learns of this at its next renewal at the latest, if its program looks at all; until then it and %1 may both work. Its token will be refused from now on by stores that check.</source>
        <translation>其会话存活：它可能仍在工作。它最迟在下次续期时得知此事，前提是其程序会查看；在此之前，它和 %1 可能同时工作。会检查的存储从现在起将拒绝其令牌。</translation>
    </message>
    <message>
        <source>another program</source>
        <translation>另一个程序</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::RunChart</name>
    <message>
        <source>Runs side by side, as bars</source>
        <translation>各次运行的条形对比图</translation>
    </message>
    <message>
        <source>more is better</source>
        <translation>越大越好</translation>
    </message>
    <message>
        <source>less is better</source>
        <translation>越小越好</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::RunsPanel</name>
    <message>
        <source>Open saved runs…</source>
        <translation>打开已保存的运行…</translation>
    </message>
    <message>
        <source>Clear the list</source>
        <translation>清空列表</translation>
    </message>
    <message>
        <source>Runs side by side</source>
        <translation>各次运行对比</translation>
    </message>
    <message>
        <source>Open saved runs</source>
        <translation>打开已保存的运行</translation>
    </message>
    <message>
        <source>%1 cannot be read, or is damaged or cut off.</source>
        <translation>%1 无法读取，或已损坏或被截断。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>These runs differ in length: compare their rates, not their counts.</source>
        <translation>这些运行的时长不同：请比较速率，而不是次数。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::ServerBar</name>
    <message>
        <source>Add server…</source>
        <translation>添加服务器…</translation>
    </message>
    <message>
        <source>Another server of any kind, whose locks join this list</source>
        <translation>任意种类的另一台服务器，其锁加入此列表</translation>
    </message>
    <message>
        <source>Show only its locks</source>
        <translation>仅显示它的锁</translation>
    </message>
    <message>
        <source>Try now</source>
        <translation>立即重试</translation>
    </message>
    <message>
        <source>Enter the password…</source>
        <translation>输入密码…</translation>
    </message>
    <message>
        <source>Remove from this list</source>
        <translation>从此列表移除</translation>
    </message>
    <message>
        <source>%1 · not connected</source>
        <translation>%1 · 未连接</translation>
    </message>
    <message>
        <source>%1 · connecting…</source>
        <translation>%1 · 正在连接…</translation>
    </message>
    <message>
        <source>%1 · no answer, %2 old</source>
        <translation>%1 · 没有应答，数据已有 %2</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Its locks stay in the list as they were when it last answered.</source>
        <translation>它的锁保留在列表中，为它最后一次应答时的状态。</translation>
    </message>
    <message>
        <source>%1 · may be changed</source>
        <translation>%1 · 可更改</translation>
    </message>
    <message>
        <source>Read-only: it was not in the list when operator mode was asked for.</source>
        <translation>只读：启动操作模式时，它还不在列表中。</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 · %2 · keys %3</source>
        <translation>%1 · %2 · 键 %3</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::ServerChooser</name>
    <message>
        <source>The keyring has no password for this server, or is not there.</source>
        <translation>密钥环中没有此服务器的密码，或者没有密钥环。</translation>
    </message>
    <message>
        <source>The keyring did not store the password of %1. You will be asked for it each time.</source>
        <translation>密钥环没有接受 %1 的密码。每次都会询问密码。</translation>
    </message>
    <message>
        <source>The window looks at %1: its locks are in the list.</source>
        <translation>窗口正在查看 %1：它的锁已在列表中。</translation>
    </message>
    <message>
        <source>It was not asked: its password is not in the keyring.</source>
        <translation>没有查询它：它的密码不在密钥环中。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::ServerConnection</name>
    <message>
        <source>The server does not answer at present.</source>
        <translation>服务器目前没有响应。</translation>
    </message>
    <message>
        <source>The private server did not start.</source>
        <translation>私有服务器未能启动。</translation>
    </message>
    <message>
        <source>This server is open read-only. Start operator mode to release a lock.</source>
        <translation>此服务器以只读方式打开。要释放锁，请启动操作模式。</translation>
    </message>
    <message>
        <source>This server is open read-only. Start operator mode to end a session.</source>
        <translation>此服务器以只读方式打开。要结束会话，请启动操作模式。</translation>
    </message>
    <message>
        <source>This server is open read-only. Start operator mode to end a transaction.</source>
        <translation>此服务器以只读方式打开。请启动操作员模式以结束事务。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::ServerList</name>
    <message>
        <source>Servers</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>New server</source>
        <translation>新服务器</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::ServerProfile</name>
    <message>
        <source>Private server</source>
        <translation>私有服务器</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::SourceBar</name>
    <message>
        <source>What cannot be seen on this server, why, and what would add it</source>
        <translation>此服务器上看不到什么、为什么，以及如何补上</translation>
    </message>
    <message numerus="yes">
        <source>%n source(s) are limited</source>
        <translation>
            <numerusform>%n 个来源受限</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Copy what would add it</source>
        <translation>复制可补上它的语句</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::StatusLine</name>
    <message>
        <source>How long the last poll took, from question to answer. Polls take at most a tenth of the time.</source>
        <translation>最近一次轮询从查询到答复的时间。Lockscope 最多将十分之一的时间用于查询。</translation>
    </message>
    <message>
        <source>No answer</source>
        <translation>无响应</translation>
    </message>
    <message>
        <source>Not connected</source>
        <translation>未连接</translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation>正在连接…</translation>
    </message>
    <message>
        <source>no data yet</source>
        <translation>尚无数据</translation>
    </message>
    <message>
        <source>data %1 s old</source>
        <translation>数据为 %1 s 前</translation>
    </message>
    <message>
        <source>data %1 old</source>
        <translation>数据为 %1 前</translation>
    </message>
    <message>
        <source>paused, %1</source>
        <translation>已暂停，%1</translation>
    </message>
    <message>
        <source>poll %1</source>
        <translation>轮询 %1</translation>
    </message>
    <message>
        <source>no poll yet</source>
        <translation>尚未轮询</translation>
    </message>
    <message>
        <source>shown %1 of more than %2</source>
        <translation>显示 %1，共超过 %2</translation>
    </message>
    <message>
        <source>shown %1 of %2</source>
        <translation>显示 %1 / %2</translation>
    </message>
    <message>
        <source>shown %1 of %2 that match</source>
        <translation>匹配的 %2 个中显示 %1 个</translation>
    </message>
    <message>
        <source>Try now</source>
        <translation>立即重试</translation>
    </message>
    <message>
        <source>Not connected, next try in %1 s</source>
        <translation>未连接，%1 秒后重试</translation>
    </message>
    <message>
        <source>locks: %1</source>
        <translation>锁：%1</translation>
    </message>
    <message>
        <source>recorded, not live</source>
        <translation>录制，非实时</translation>
    </message>
    <message>
        <source>Not opened</source>
        <translation>未打开</translation>
    </message>
    <message>
        <source>Opening…</source>
        <translation>正在打开…</translation>
    </message>
    <message>
        <source>All keys or nodes of the server are gone through for locks of other programs, slowly, beside the polls: the server is at work for that for a tenth of the time at most.</source>
        <translation>在轮询之外，会慢慢地遍历服务器的所有键或节点以查找其他程序的锁：服务器为此工作的时间最多占十分之一。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::StoreFields</name>
    <message>
        <source>Speak &amp;plain text, without TLS</source>
        <translation>使用明文，不用 TLS(&amp;P)</translation>
    </message>
    <message>
        <source>As lockctl takes it with --url: an authority&apos;s file is ?ssl-ca=…, a socket ?socket=…</source>
        <translation>与 lockctl 的 --url 相同：证书颁发机构文件为 ?ssl-ca=…，套接字为 ?socket=…</translation>
    </message>
    <message>
        <source>Addr&amp;ess</source>
        <translation>地址(&amp;E)</translation>
    </message>
    <message>
        <source>Name the server&apos;s address, as in %1.</source>
        <translation>请填写服务器地址，例如 %1。</translation>
    </message>
    <message>
        <source>Whoever is on the way can read what is sent, the password too, and change it.</source>
        <translation>传输途中的任何人都能读取并更改所发送的内容，包括密码。</translation>
    </message>
    <message>
        <source>Any host but this machine is only spoken to over TLS with a verified certificate. To ZooKeeper that takes a tunnel.</source>
        <translation>除本机外，与任何主机都只通过带有已验证证书的 TLS 通信。对于 ZooKeeper，这需要隧道。</translation>
    </message>
    <message>
        <source>Any host but this machine is only spoken to over TLS with a verified certificate.</source>
        <translation>除本机外，与任何主机都只通过带有已验证证书的 TLS 通信。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::Tints</name>
    <message>
        <source>Blue</source>
        <translation>蓝色</translation>
    </message>
    <message>
        <source>Orange</source>
        <translation>橙色</translation>
    </message>
    <message>
        <source>Red</source>
        <translation>红色</translation>
    </message>
    <message>
        <source>Violet</source>
        <translation>紫色</translation>
    </message>
    <message>
        <source>Green</source>
        <translation>绿色</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::TopBar</name>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>&amp;Server</source>
        <translation>服务器(&amp;S)</translation>
    </message>
    <message>
        <source>P&amp;oll interval</source>
        <translation>轮询间隔(&amp;O)</translation>
    </message>
    <message>
        <source>Which server this window looks at</source>
        <translation>此窗口查看的服务器</translation>
    </message>
    <message>
        <source>How often the server is asked</source>
        <translation>查询服务器的频率</translation>
    </message>
    <message>
        <source>%1 (production)</source>
        <translation>%1（生产）</translation>
    </message>
    <message>
        <source>No server</source>
        <translation>无服务器</translation>
    </message>
    <message>
        <source>Server %1</source>
        <translation>服务器 %1</translation>
    </message>
    <message>
        <source>OPERATOR</source>
        <translation>操作模式</translation>
    </message>
    <message>
        <source>OPERATOR on %1 of %2</source>
        <translation>操作模式（%1/%2 台）</translation>
    </message>
    <message>
        <source>READ-ONLY</source>
        <translation>只读</translation>
    </message>
    <message>
        <source>PRIVATE</source>
        <translation>私有</translation>
    </message>
    <message>
        <source>PRODUCTION · %1</source>
        <translation>生产 · %1</translation>
    </message>
    <message>
        <source>Nothing is changed on this server. Click to start operator mode.</source>
        <translation>不会更改此服务器上的任何内容。单击启动操作模式。</translation>
    </message>
    <message>
        <source>Nothing is changed on %1. Click to start operator mode.</source>
        <translation>不会更改 %1。单击启动操作模式。</translation>
    </message>
    <message>
        <source>Locks may be released and connections ended on %1. Click to go back to read-only.</source>
        <translation>可以在 %1 上释放锁和结束连接。单击返回只读。</translation>
    </message>
    <message>
        <source>Locks may be released and connections ended on %1. Nothing is changed on %2: click to be asked for all.</source>
        <translation>可以在 %1 上释放锁和结束连接。不会更改 %2：单击可对全部服务器再次询问。</translation>
    </message>
    <message>
        <source>Locks may be released and connections ended. Click to go back to read-only.</source>
        <translation>可以释放锁和结束连接。单击返回只读。</translation>
    </message>
    <message>
        <source>server, connect to</source>
        <translation>服务器，连接到，server</translation>
    </message>
    <message>
        <source>Lockscope&apos;s own server: try anything here</source>
        <translation>Lockscope 自己的服务器：可以随意尝试</translation>
    </message>
    <message>
        <source>Add to this &amp;list</source>
        <translation>添加到此列表(&amp;L)</translation>
    </message>
    <message>
        <source>server, add, beside, list</source>
        <translation>服务器, 添加, 并列, 列表</translation>
    </message>
    <message>
        <source>Another server…</source>
        <translation>另一台服务器…</translation>
    </message>
    <message>
        <source>PRIVATE · others %1</source>
        <translation>私有 · 其他 %1</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::WaitFacts</name>
    <message>
        <source>%1, %2 ago</source>
        <translation>%1，%2 前</translation>
    </message>
    <message>
        <source>%1 (pid %2)</source>
        <translation>%1（pid %2）</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>none open</source>
        <translation>没有打开的事务</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>Account</source>
        <translation>账户</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>Schema</source>
        <translation>数据库</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Since</source>
        <translation>开始于</translation>
    </message>
    <message>
        <source>Transaction</source>
        <translation>事务</translation>
    </message>
    <message>
        <source>Opened</source>
        <translation>打开于</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>行数</translation>
    </message>
    <message>
        <source>%1 – behind %2 (inferred)</source>
        <translation>%1 – 排在 %2 之后（推断）</translation>
    </message>
    <message>
        <source>%1 – behind %2</source>
        <translation>%1 – 排在 %2 之后</translation>
    </message>
    <message>
        <source>for %1</source>
        <translation>已 %1</translation>
    </message>
    <message>
        <source>waits for %1</source>
        <translation>已等待 %1</translation>
    </message>
    <message>
        <source>its transaction is %1 old</source>
        <translation>其事务已有 %1</translation>
    </message>
    <message>
        <source>its statement is %1 old</source>
        <translation>其语句已有 %1</translation>
    </message>
    <message>
        <source>Session %1</source>
        <translation>会话 %1</translation>
    </message>
    <message>
        <source>%1 – %2</source>
        <translation>%1 – %2</translation>
    </message>
    <message>
        <source>Waits for</source>
        <translation>等待</translation>
    </message>
    <message numerus="yes">
        <source>Blocks %n session(s)</source>
        <translation>
            <numerusform>阻塞 %n 个会话</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Holds %n lock(s); rows that nobody waits for are not listed</source>
        <translation>
            <numerusform>持有 %n 个锁；无人等待的行未列出</numerusform>
        </translation>
    </message>
    <message>
        <source>for at least %1</source>
        <translation>至少 %1</translation>
    </message>
    <message numerus="yes">
        <source>Holds %n lock(s)</source>
        <translation>
            <numerusform>持有 %n 个锁</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n queue behind it</source>
        <translation>
            <numerusform>%n 个排在它后面</numerusform>
        </translation>
    </message>
    <message>
        <source>Statements of its transaction, as far as the server keeps them</source>
        <translation>其事务的语句（以服务器保留的为限）</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::WaitGraphView</name>
    <message>
        <source>Graph of who waits for whom; the tree says the same</source>
        <translation>谁在等待谁的图；树中内容相同</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>适合窗口</translation>
    </message>
    <message>
        <source>Smaller (−)</source>
        <translation>缩小 (−)</translation>
    </message>
    <message>
        <source>Larger (+)</source>
        <translation>放大 (+)</translation>
    </message>
    <message>
        <source>Show the whole graph, or as much of it as can be read (0)</source>
        <translation>显示整个图，或在可读的大小下尽量多显示（0）</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::WaitInspector</name>
    <message>
        <source>Select a session to see its statement, what it holds and whom it blocks.</source>
        <translation>选择一个会话，查看其语句、持有的锁以及它阻塞了谁。</translation>
    </message>
    <message>
        <source>Statement</source>
        <translation>语句</translation>
    </message>
    <message>
        <source>No session selected</source>
        <translation>未选择会话</translation>
    </message>
    <message>
        <source>It neither waits nor blocks any more. Below is how it was when last seen.</source>
        <translation>它不再等待，也不再阻塞。以下是最后一次看到时的情况。</translation>
    </message>
    <message numerus="yes">
        <source>%n more are in the copied text.</source>
        <translation>
            <numerusform>另有 %n 项，见复制的文本。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n session(s) selected</source>
        <translation>
            <numerusform>已选择 %n 个会话</numerusform>
        </translation>
    </message>
    <message>
        <source>Lesson: %1</source>
        <comment>the title of a lesson</comment>
        <translation>课程：%1</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::WaitList</name>
    <message>
        <source>Sessions that block and wait</source>
        <translation>阻塞和等待的会话</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::WaitTreeModel</name>
    <message>
        <source>Nobody goes on</source>
        <translation>无人能继续</translation>
    </message>
    <message>
        <source>%1 / %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Show them all (Enter or double click)</source>
        <translation>全部显示（Enter 或双击）</translation>
    </message>
    <message>
        <source>Others wait for it, and it runs nothing: it ends only when its program goes on, or when it is ended.</source>
        <translation>其他会话在等它，而它什么也没运行：只有其程序继续，或它被结束，才会终止。</translation>
    </message>
    <message>
        <source>Rows locked / rows changed: %1</source>
        <translation>锁定行数 / 更改行数：%1</translation>
    </message>
    <message>
        <source>Session</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>If it ends</source>
        <translation>若它结束</translation>
    </message>
    <message>
        <source>Lock</source>
        <translation>锁</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Statement</source>
        <translation>语句</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>行数</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>Waits for %1</source>
        <translation>等待 %1</translation>
    </message>
    <message>
        <source>Age</source>
        <translation>时长</translation>
    </message>
    <message>
        <source>Concluded from the text of statements, not reported by the server.</source>
        <translation>根据语句文本推断，并非服务器报告。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::WaitText</name>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>the whole server (%1)</source>
        <translation>整个服务器（%1）</translation>
    </message>
    <message>
        <source>schema %1</source>
        <translation>数据库 %1</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>Row lock</source>
        <translation>行锁</translation>
    </message>
    <message>
        <source>Table lock</source>
        <translation>表锁</translation>
    </message>
    <message>
        <source>Metadata lock</source>
        <translation>元数据锁</translation>
    </message>
    <message>
        <source>User-level lock</source>
        <translation>用户级锁</translation>
    </message>
    <message numerus="yes">
        <source>Ring of %n session(s)</source>
        <translation>
            <numerusform>%n 个会话的环</numerusform>
        </translation>
    </message>
    <message>
        <source>+%1 more</source>
        <translation>另有 %1 个</translation>
    </message>
    <message>
        <source>each waits for the next one</source>
        <translation>每个都在等下一个</translation>
    </message>
    <message>
        <source>holds %1</source>
        <translation>持有 %1</translation>
    </message>
    <message>
        <source>holds %1 and %2 more</source>
        <translation>持有 %1 及另外 %2 个</translation>
    </message>
    <message>
        <source>Rolling back</source>
        <translation>正在回滚</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>Idle in transaction</source>
        <translation>事务中空闲</translation>
    </message>
    <message>
        <source>Idle</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>last: %1</source>
        <translation>上一条：%1</translation>
    </message>
    <message>
        <source>none so far</source>
        <translation>尚无</translation>
    </message>
    <message>
        <source>not instrumented</source>
        <translation>未采集</translation>
    </message>
    <message>
        <source>hidden from this user</source>
        <translation>对此用户隐藏</translation>
    </message>
    <message>
        <source>Statement that it runs</source>
        <translation>正在运行的语句</translation>
    </message>
    <message>
        <source>Statement that it ran last</source>
        <translation>最后运行的语句</translation>
    </message>
    <message>
        <source>It has run no statement yet</source>
        <translation>它还没有运行过语句</translation>
    </message>
    <message>
        <source>The server keeps no last statements</source>
        <translation>服务器不保留最后的语句</translation>
    </message>
    <message>
        <source>This user may not see its statement</source>
        <translation>此用户无权查看其语句</translation>
    </message>
    <message>
        <source>This is a connection of Lockscope itself.</source>
        <translation>这是 Lockscope 自己的连接。</translation>
    </message>
    <message>
        <source>This is a thread of the server itself.</source>
        <translation>这是服务器自己的线程。</translation>
    </message>
    <message>
        <source>This session replicates, or belongs to the cluster.</source>
        <translation>此会话用于复制，或属于集群。</translation>
    </message>
    <message>
        <source>Sessions</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>Transactions</source>
        <translation>事务</translation>
    </message>
    <message>
        <source>Row lock waits</source>
        <translation>行锁等待</translation>
    </message>
    <message>
        <source>Metadata locks</source>
        <translation>元数据锁</translation>
    </message>
    <message>
        <source>User-level locks</source>
        <translation>用户级锁</translation>
    </message>
    <message>
        <source>Last statements</source>
        <translation>最后的语句</translation>
    </message>
    <message>
        <source>Client programs</source>
        <translation>客户端程序</translation>
    </message>
    <message>
        <source>cut after %1</source>
        <translation>在 %1 条后截断</translation>
    </message>
    <message>
        <source>complete</source>
        <translation>完整</translation>
    </message>
    <message>
        <source>in part</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>not there</source>
        <translation>没有</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>switched off</source>
        <translation>已关闭</translation>
    </message>
    <message>
        <source>a row lock that the server does not name</source>
        <translation>服务器未说明的行锁</translation>
    </message>
    <message>
        <source>a table lock that the server does not name</source>
        <translation>服务器未说明的表锁</translation>
    </message>
    <message>
        <source>a metadata lock that the server does not name</source>
        <translation>服务器未说明的元数据锁</translation>
    </message>
    <message>
        <source>a user-level lock that the server does not name</source>
        <translation>服务器未说明的用户级锁</translation>
    </message>
    <message>
        <source>inferred: %1</source>
        <translation>推断：%1</translation>
    </message>
    <message>
        <source>Not told</source>
        <translation>未告知</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>%1 locked, %2 changed</source>
        <translation>锁定 %1，更改 %2</translation>
    </message>
    <message>
        <source>… and more</source>
        <translation>…… 还有更多</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 及另外 %2 个</translation>
    </message>
    <message>
        <source>%1 – also behind %2</source>
        <translation>%1 – 同时排在 %2 之后</translation>
    </message>
    <message>
        <source>%1 – %2</source>
        <translation>%1 – %2</translation>
    </message>
    <message>
        <source>%1, gap at the end</source>
        <translation>%1，末尾的间隙</translation>
    </message>
    <message>
        <source>%1, gap before (%2)</source>
        <translation>%1，(%2) 之前的间隙</translation>
    </message>
    <message>
        <source>×%1 %2</source>
        <translation>×%1 %2</translation>
    </message>
    <message>
        <source>waits %1</source>
        <translation>等待 %1</translation>
    </message>
    <message>
        <source>transaction %1</source>
        <translation>事务 %1</translation>
    </message>
    <message>
        <source>idle %1</source>
        <translation>空闲 %1</translation>
    </message>
    <message>
        <source>statement %1</source>
        <translation>语句 %1</translation>
    </message>
    <message>
        <source>took the lock: %1</source>
        <translation>取得锁的语句：%1</translation>
    </message>
    <message>
        <source>open %1</source>
        <translation>已打开 %1</translation>
    </message>
    <message>
        <source>Idle %1</source>
        <translation>空闲 %1</translation>
    </message>
    <message>
        <source>something whose source is switched off</source>
        <translation>某个对象，其信息来源已关闭</translation>
    </message>
    <message>
        <source>not read</source>
        <translation>未读取</translation>
    </message>
    <message>
        <source>Its last statement was not read</source>
        <translation>未读取其上一条语句</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::WaitsPage</name>
    <message>
        <source>&amp;End session…</source>
        <translation>结束会话(&amp;E)…</translation>
    </message>
    <message>
        <source>&amp;End session %1…</source>
        <translation>结束会话 %1(&amp;E)…</translation>
    </message>
    <message>
        <source>&amp;Copy as text</source>
        <translation>复制为文本(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Graph</source>
        <translation>图(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Details</source>
        <translation>详情(&amp;D)</translation>
    </message>
    <message>
        <source>End session…</source>
        <translation>结束会话…</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>复制为文本</translation>
    </message>
    <message>
        <source>Copy everything known of the selected session (%1)</source>
        <translation>复制所选会话的全部已知信息（%1）</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>图</translation>
    </message>
    <message>
        <source>Show the same as a graph (%1)</source>
        <translation>以图显示相同内容（%1）</translation>
    </message>
    <message>
        <source>Show or hide what is known of the selected session (Enter)</source>
        <translation>显示或隐藏所选会话的信息（Enter）</translation>
    </message>
    <message>
        <source>The graph needs Graphviz, which is not installed here (package graphviz). The tree shows the same.</source>
        <translation>图需要 Graphviz，此处未安装（软件包 graphviz）。树中显示相同内容。</translation>
    </message>
    <message>
        <source>The graph could not be laid out in time. The tree shows the same.</source>
        <translation>图未能及时排好。树中显示相同内容。</translation>
    </message>
    <message>
        <source>Graphviz could not lay out the graph. The tree shows the same.</source>
        <translation>Graphviz 未能排好图。树中显示相同内容。</translation>
    </message>
    <message>
        <source>Filter by session, lock, state, statement or program</source>
        <translation>按会话、锁、状态、语句或程序筛选</translation>
    </message>
    <message>
        <source>Sessions that wait: %1</source>
        <translation>等待的会话：%1</translation>
    </message>
    <message>
        <source>Looking for sessions that wait…</source>
        <translation>正在查找等待的会话…</translation>
    </message>
    <message>
        <source>No session matches</source>
        <translation>没有匹配的会话</translation>
    </message>
    <message>
        <source>Hidden by the filter: %1.</source>
        <translation>被筛选隐藏：%1。</translation>
    </message>
    <message>
        <source>Clear filter</source>
        <translation>清除筛选</translation>
    </message>
    <message numerus="yes">
        <source>%n session(s)</source>
        <translation>
            <numerusform>%n 个会话</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n open transaction(s)</source>
        <translation>
            <numerusform>%n 个打开的事务</numerusform>
        </translation>
    </message>
    <message>
        <source>Looked at %1 and %2.</source>
        <translation>已查看 %1 和 %2。</translation>
    </message>
    <message>
        <source>Nobody waits</source>
        <translation>无人等待</translation>
    </message>
    <message>
        <source>Waits were not recorded</source>
        <translation>没有录下等待</translation>
    </message>
    <message>
        <source>Nothing that tells who waits could be read at this moment of the recording.</source>
        <translation>在录制的这一刻，能说明谁在等待的信息都没能读取。</translation>
    </message>
    <message>
        <source>At this moment of the recording there were %1 and %2.</source>
        <translation>在录制的这一刻有 %1 和 %2。</translation>
    </message>
    <message>
        <source>Not everything could be seen then: the line at the bottom says what is missing.</source>
        <translation>当时并非一切都能看到：底部的那一行说明缺少什么。</translation>
    </message>
    <message>
        <source>Nobody waited</source>
        <translation>当时没有人等待</translation>
    </message>
    <message>
        <source>Nobody was seen to wait</source>
        <translation>当时没有看到有人等待</translation>
    </message>
    <message>
        <source>Reading the recording…</source>
        <translation>正在读取录制文件…</translation>
    </message>
    <message>
        <source>Nobody is seen to wait</source>
        <translation>没有看到有人等待</translation>
    </message>
    <message>
        <source>This server is open read-only. Start operator mode to end a session.</source>
        <translation>此服务器以只读方式打开。要结束会话，请启动操作模式。</translation>
    </message>
    <message>
        <source>The server does not answer.</source>
        <translation>服务器没有应答。</translation>
    </message>
    <message>
        <source>End this session or its statement (Del)</source>
        <translation>结束此会话或其语句（Del）</translation>
    </message>
    <message>
        <source>Select a session to end it.</source>
        <translation>选择要结束的会话。</translation>
    </message>
    <message>
        <source>Waits</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>End session %1…</source>
        <translation>结束会话 %1…</translation>
    </message>
    <message numerus="yes">
        <source>&amp;End %n sessions…</source>
        <translation>
            <numerusform>结束 %n 个会话(&amp;E)…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>End %n sessions…</source>
        <translation>
            <numerusform>结束 %n 个会话…</numerusform>
        </translation>
    </message>
    <message>
        <source>End these sessions or their statements (Del)</source>
        <translation>结束这些会话或其语句（Del）</translation>
    </message>
    <message>
        <source>This is a replica: its locks are its own, those of its primary are not seen here.</source>
        <translation>这是一个副本：这里只有它自己的锁，看不到其主库的锁。</translation>
    </message>
    <message>
        <source>This server is read-only.</source>
        <translation>此服务器为只读。</translation>
    </message>
    <message>
        <source>This is one node of a cluster: locks of the other nodes are not seen here.</source>
        <translation>这是集群中的一个节点：这里看不到其他节点的锁。</translation>
    </message>
    <message>
        <source>Hosted by %1: settings, and who may end sessions, are changed there.</source>
        <translation>由 %1 托管：设置以及谁可以结束会话，都在那里更改。</translation>
    </message>
    <message>
        <source>&amp;End %1…</source>
        <translation>结束%1(&amp;E)…</translation>
    </message>
    <message>
        <source>End %1…</source>
        <translation>结束%1…</translation>
    </message>
    <message>
        <source>What is shown is from %1.</source>
        <translation>所示内容来自 %1。</translation>
    </message>
    <message>
        <source>Not everything can be seen here: the line at the bottom says what is missing.</source>
        <translation>此处并非全部可见：底部的一行说明缺少什么。</translation>
    </message>
    <message>
        <source>Which sessions wait for locks that the server itself keeps, on rows, tables, definitions or names, and who blocks them. It does not matter which program took them.

Sessions that block others and wait for nobody come first, with those that they block below them. &quot;Frees&quot; counts the sessions that go on once it ends. Idle in transaction: it holds locks and runs nothing, usually a program that forgot to commit. A ring is a deadlock that leads over several kinds of locks, which no server ends by itself. Inferred: concluded from the text of statements, not reported by the server.

/ filters, Enter shows or hides the details, Ctrl+G changes between tree and graph, Del ends the selected session, or all that Ctrl and Shift select in the tree, Space pauses, F5 refreshes now. In the graph: arrow keys move, + and - zoom, 0 fits it to the view, 1 is life-size.</source>
        <translation>哪些会话在等待服务器自身保管的锁（行、表、定义或名称上的锁），又是谁阻塞了它们。无论锁由哪个程序取得。

阻塞他人而自己不等待者排在最前，被其阻塞者列在其下。“释放”是它结束后能够继续的会话数。事务中空闲：它持有锁却什么也不运行，通常是忘记提交的程序。环是跨越多种锁的死锁，没有服务器会自行解除。推断：根据语句文本得出，并非服务器报告。

/ 筛选，Enter 显示或隐藏详情，Ctrl+G 在树和图之间切换，Del 结束所选会话（在树中可用 Ctrl 和 Shift 选择多个），Space 暂停，F5 立即查询。在图中：方向键移动，+ 和 - 缩放，0 使图适合窗口，1 为原始大小。</translation>
    </message>
    <message>
        <source>And in lessons and the lab, on purpose: %1</source>
        <translation>另外在课程和实验室中有意等待的：%1</translation>
    </message>
    <message>
        <source>This is a recording: nobody can be ended in it.</source>
        <translation>这是录制：其中不能结束任何会话。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::WindowActions</name>
    <message>
        <source>&amp;Connect…</source>
        <translation>连接(&amp;C)…</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>导出(&amp;E)…</translation>
    </message>
    <message>
        <source>Save what the page shows as a file</source>
        <translation>将页面显示的内容保存为文件</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>Close Lockscope</source>
        <translation>关闭 Lockscope</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>暂停(&amp;P)</translation>
    </message>
    <message>
        <source>Stop asking the server; what is shown stays</source>
        <translation>停止查询服务器；已显示的内容保留</translation>
    </message>
    <message>
        <source>&amp;Refresh now</source>
        <translation>立即刷新(&amp;R)</translation>
    </message>
    <message>
        <source>Ask the server now</source>
        <translation>立即查询服务器</translation>
    </message>
    <message>
        <source>&amp;Filter</source>
        <translation>筛选(&amp;F)</translation>
    </message>
    <message>
        <source>Go to the page&apos;s filter</source>
        <translation>转到页面的筛选框</translation>
    </message>
    <message>
        <source>Find…</source>
        <translation>查找…</translation>
    </message>
    <message>
        <source>&amp;Close what was opened last</source>
        <translation>关闭最近打开的内容(&amp;C)</translation>
    </message>
    <message>
        <source>Clear the filter or the selection</source>
        <translation>清除筛选或选择</translation>
    </message>
    <message>
        <source>&amp;Operator mode</source>
        <translation>操作模式(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Help of this page</source>
        <translation>本页帮助(&amp;H)</translation>
    </message>
    <message>
        <source>What this page shows</source>
        <translation>此页面显示什么</translation>
    </message>
    <message>
        <source>&amp;About Lockscope</source>
        <translation>关于 Lockscope(&amp;A)</translation>
    </message>
    <message>
        <source>About &amp;Qt</source>
        <translation>关于 Qt(&amp;Q)</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Show page %1</source>
        <translation>显示“%1”页面</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Lock</source>
        <translation>锁(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>Pre&amp;senter mode</source>
        <translation>演示模式(&amp;S)</translation>
    </message>
    <message>
        <source>As the desktop</source>
        <translation>跟随桌面</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>语言(&amp;L)</translation>
    </message>
    <message>
        <source>Sess&amp;ion</source>
        <translation>会话(&amp;I)</translation>
    </message>
    <message>
        <source>Times in &amp;UTC</source>
        <translation>时间用 UTC 显示(&amp;U)</translation>
    </message>
    <message>
        <source>Show all times in UTC instead of this machine&apos;s time zone</source>
        <translation>所有时间都以 UTC 显示，而不用本机时区</translation>
    </message>
    <message>
        <source>Look at another server, or change and remove known ones</source>
        <translation>查看另一台服务器，或修改、移除已知的服务器</translation>
    </message>
    <message>
        <source>Allow releasing locks and ending connections on this server for a while</source>
        <translation>允许在此服务器上暂时释放锁和结束连接</translation>
    </message>
    <message>
        <source>New &amp;window</source>
        <translation>新建窗口(&amp;W)</translation>
    </message>
    <message>
        <source>Watch another server beside this one</source>
        <translation>在此之外再查看另一台服务器</translation>
    </message>
    <message>
        <source>&amp;Sources</source>
        <translation>数据来源(&amp;S)</translation>
    </message>
    <message>
        <source>Start &amp;demo</source>
        <translation>启动演示(&amp;D)</translation>
    </message>
    <message>
        <source>Simulated services on the private server take locks and wait for them</source>
        <translation>私有服务器上的模拟服务获取锁并等待锁</translation>
    </message>
    <message>
        <source>Find locks, sessions, servers and actions by a few letters</source>
        <translation>输入几个字符即可查找锁、会话、服务器和操作</translation>
    </message>
    <message>
        <source>unlock, force release, free, drop</source>
        <translation>解锁，强制释放，unlock</translation>
    </message>
    <message>
        <source>kill, terminate, disconnect, stop, cancel the query</source>
        <translation>杀死，终止，断开，取消查询，kill</translation>
    </message>
    <message>
        <source>diagram, picture, blocking chain</source>
        <translation>图表，图形，阻塞链</translation>
    </message>
    <message>
        <source>alerts, thresholds, notifications</source>
        <translation>警报，阈值，通知</translation>
    </message>
    <message>
        <source>open, log in, server, host, database</source>
        <translation>打开，登录，服务器，主机，数据库</translation>
    </message>
    <message>
        <source>save, download, CSV</source>
        <translation>保存，下载，CSV</translation>
    </message>
    <message>
        <source>exit</source>
        <translation>关闭程序，exit</translation>
    </message>
    <message>
        <source>freeze, hold, stop</source>
        <translation>冻结，停止</translation>
    </message>
    <message>
        <source>reload, update, poll</source>
        <translation>重新加载，更新</translation>
    </message>
    <message>
        <source>search, find</source>
        <translation>搜索，查找</translation>
    </message>
    <message>
        <source>write, change, read-only, allow</source>
        <translation>写入，更改，只读，允许</translation>
    </message>
    <message>
        <source>manual, documentation</source>
        <translation>手册，文档</translation>
    </message>
    <message>
        <source>projector, large type, zoom</source>
        <translation>投影，大字，缩放</translation>
    </message>
    <message>
        <source>time zone, clock</source>
        <translation>时区，时钟</translation>
    </message>
    <message>
        <source>theme, colours, mode</source>
        <translation>主题，颜色，模式</translation>
    </message>
    <message>
        <source>language</source>
        <translation>语言，language</translation>
    </message>
    <message>
        <source>Type of twice the size, in black and white, for a projector</source>
        <translation>字号加倍，黑白配色，适合投影</translation>
    </message>
    <message>
        <source>Recor&amp;d…</source>
        <translation>录制(&amp;D)…</translation>
    </message>
    <message>
        <source>Keep what the locks of this server do in a file, until you end it</source>
        <translation>把这台服务器上锁的活动保存到文件，直到您停止</translation>
    </message>
    <message>
        <source>Open recordin&amp;g…</source>
        <translation>打开录制(&amp;G)…</translation>
    </message>
    <message>
        <source>Move through the time of a recording</source>
        <translation>在录制的时间中移动</translation>
    </message>
    <message>
        <source>flight recorder, log, history</source>
        <translation>记录，日志，历史</translation>
    </message>
    <message>
        <source>replay, history, time line</source>
        <translation>回放，历史，时间线</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::CommonText</name>
    <message>
        <source>A person released a row of another program&apos;s lock table.</source>
        <translation>有人释放了其他程序锁表中的一行。</translation>
    </message>
    <message>
        <source>Table lock released</source>
        <translation>锁表的锁已释放</translation>
    </message>
    <message>
        <source>Held</source>
        <translation>持有中</translation>
    </message>
    <message>
        <source>Orphan</source>
        <translation>孤儿</translation>
    </message>
    <message>
        <source>Expired</source>
        <translation>已过期</translation>
    </message>
    <message>
        <source>Kept</source>
        <translation>保留中</translation>
    </message>
    <message>
        <source>Optimistic</source>
        <translation>乐观</translation>
    </message>
    <message>
        <source>Unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Held row</source>
        <translation>行锁</translation>
    </message>
    <message>
        <source>A row lock: a transaction holds it and it ends with that; it has no TTL and shows no token.</source>
        <translation>行锁：由事务持有，随事务结束；没有 TTL，也不显示令牌。</translation>
    </message>
    <message>
        <source>Optimistic: nobody holds it. Attempts to commit either succeed or meet a conflict.</source>
        <translation>乐观：无人持有。提交尝试要么成功，要么遇到冲突。</translation>
    </message>
    <message>
        <source>A lease: it has an owner, a TTL and a fencing token.</source>
        <translation>租约：有所有者、TTL 和防护令牌。</translation>
    </message>
    <message>
        <source>A row lock ends with its transaction: stop its program or end its connection.</source>
        <translation>行锁随其事务结束：请停止其程序或终止其连接。</translation>
    </message>
    <message>
        <source>Nobody holds it: there is nothing to release.</source>
        <translation>无人持有：没有可释放的锁。</translation>
    </message>
    <message>
        <source>Its session is alive and its time is not up.</source>
        <translation>其会话存活，期限未到。</translation>
    </message>
    <message>
        <source>Its session is gone, but its time is not up: nobody else gets it before that, unless it is released.</source>
        <translation>其会话已不存在，但期限未到：除非被释放，在此之前其他人无法获得。</translation>
    </message>
    <message>
        <source>Its time is up and nobody has taken it yet. The next program that asks gets it.</source>
        <translation>期限已到，尚无人取得。下一个请求的程序将获得它。</translation>
    </message>
    <message>
        <source>Released early; it stays taken for the rest of its minimum hold time.</source>
        <translation>已提前释放；在最短持有时间的剩余部分内仍被占用。</translation>
    </message>
    <message>
        <source>Nobody holds it: whoever commits first wins, and the others meet a conflict and try again.</source>
        <translation>无人持有：先提交者成功，其他人遇到冲突并重试。</translation>
    </message>
    <message>
        <source>This server is read-only, perhaps a replica: it cannot tell whether the holder&apos;s session is alive.</source>
        <translation>此服务器为只读，可能是副本：它无法判断持有者的会话是否存活。</translation>
    </message>
    <message>
        <source>Taken over</source>
        <translation>被接管</translation>
    </message>
    <message>
        <source>Lost</source>
        <translation>已丢失</translation>
    </message>
    <message>
        <source>Force-released</source>
        <translation>强制释放</translation>
    </message>
    <message>
        <source>Release failed</source>
        <translation>释放失败</translation>
    </message>
    <message>
        <source>The lease ran out and the next program took it.</source>
        <translation>租约到期，由下一个程序取得。</translation>
    </message>
    <message>
        <source>The holder found that the lease was no longer its own.</source>
        <translation>持有者发现租约已不再属于自己。</translation>
    </message>
    <message>
        <source>A person ended the lease.</source>
        <translation>由人工终止了租约。</translation>
    </message>
    <message>
        <source>The holder could not release; the lease ended with its time.</source>
        <translation>持有者未能释放；租约到期后结束。</translation>
    </message>
    <message>
        <source>%1 · slot %2</source>
        <translation>%1 · 槽位 %2</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%2 上的 %1</translation>
    </message>
    <message>
        <source>%1 (pid %2)</source>
        <translation>%1(pid %2)</translation>
    </message>
    <message>
        <source>%1 (pid %2, thread %3)</source>
        <translation>%1（pid %2，线程 %3）</translation>
    </message>
    <message>
        <source>no end</source>
        <translation>无期限</translation>
    </message>
    <message>
        <source>expired %1 ago</source>
        <translation>%1 前已过期</translation>
    </message>
    <message>
        <source>Nobody has committed %1 in the last minute.</source>
        <translation>最近一分钟内无人提交 %1。</translation>
    </message>
    <message>
        <source>%1 of %2 attempts (%3)</source>
        <translation>%2 次尝试中有 %1 次（%3）</translation>
    </message>
    <message>
        <source>In the last minute %1 to commit %2 met a conflict.</source>
        <translation>最近一分钟提交 %2：%1遇到冲突。</translation>
    </message>
    <message>
        <source>So far %1 to commit %2 met a conflict. What is recent shows within a minute.</source>
        <translation>到目前为止提交 %2：%1遇到冲突。近期情况一分钟内显示。</translation>
    </message>
    <message>
        <source>%1 has held %2 for %3</source>
        <translation>%1 已持有 %2 达 %3</translation>
    </message>
    <message>
        <source>it was released and stays taken for its minimum time</source>
        <translation>已释放，在最短持有时间内仍被占用</translation>
    </message>
    <message>
        <source>whether its session is alive cannot be told here</source>
        <translation>在此无法判断其会话是否存活</translation>
    </message>
    <message>
        <source>its session is alive</source>
        <translation>其会话存活</translation>
    </message>
    <message>
        <source>its session is gone</source>
        <translation>其会话已不存在</translation>
    </message>
    <message>
        <source>the lease has no end</source>
        <translation>租约没有期限</translation>
    </message>
    <message>
        <source>the lease ends in %1</source>
        <translation>租约将在 %1 后到期</translation>
    </message>
    <message>
        <source>the lease expired %1 ago</source>
        <translation>租约已于 %1 前过期</translation>
    </message>
    <message>
        <source>who waits is unknown</source>
        <translation>等待者未知</translation>
    </message>
    <message>
        <source>nobody waits</source>
        <translation>无人等待</translation>
    </message>
    <message>
        <source>one waits</source>
        <translation>1 个等待者</translation>
    </message>
    <message>
        <source>%1 wait</source>
        <translation>%1 个等待者</translation>
    </message>
    <message>
        <source>&lt; 1&#xa0;%</source>
        <translation>&lt; 1&#xa0;%</translation>
    </message>
    <message>
        <source>%1&#xa0;%</source>
        <translation>%1&#xa0;%</translation>
    </message>
    <message>
        <source>; </source>
        <comment>between the parts of a sentence</comment>
        <translation>；</translation>
    </message>
    <message>
        <source>.</source>
        <comment>at the end of a sentence</comment>
        <translation>。</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Metadata</source>
        <translation>元数据</translation>
    </message>
    <message>
        <source>User lock</source>
        <translation>用户锁</translation>
    </message>
    <message>
        <source>Rows that a transaction has locked or changed, and that it gives up when it ends; not taken by an engine.</source>
        <translation>某个事务锁定或修改的行，事务结束时释放；不属于引擎。</translation>
    </message>
    <message>
        <source>A lock on the definition of a table, a schema or the whole server; it is kept until its transaction or session ends.</source>
        <translation>对表、库或整个服务器定义的锁；保持到其事务或会话结束。</translation>
    </message>
    <message>
        <source>A lock that a session took with GET_LOCK; it is kept until that gives it back or ends.</source>
        <translation>会话用 GET_LOCK 取得的锁；保持到会话归还或结束。</translation>
    </message>
    <message>
        <source>Age of the wait</source>
        <translation>等待的时长</translation>
    </message>
    <message>
        <source>Age of the transaction; the server does not tell that of the lock</source>
        <translation>事务的时长；服务器不提供锁本身的时长</translation>
    </message>
    <message>
        <source>Age of the statement; the server does not tell that of the lock</source>
        <translation>语句的时长；服务器不提供锁本身的时长</translation>
    </message>
    <message>
        <source>Age of the lock</source>
        <translation>锁的时长</translation>
    </message>
    <message>
        <source>Session ended</source>
        <translation>会话已结束</translation>
    </message>
    <message>
        <source>A person ended a session of the server.</source>
        <translation>有人结束了服务器的一个会话。</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message numerus="yes">
        <source>%1 commits</source>
        <translation>
            <numerusform>%1 次提交</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 conflicts</source>
        <translation>
            <numerusform>%1 次冲突</numerusform>
        </translation>
    </message>
    <message>
        <source>it lasts until its transaction or its session ends, or it is given back</source>
        <translation>它持续到其事务或会话结束，或被归还</translation>
    </message>
    <message>
        <source>it lasts until it is given back or its session ends</source>
        <translation>它持续到被归还或其会话结束</translation>
    </message>
    <message>
        <source>its transaction is open, and the lock ends with it</source>
        <translation>其事务未结束，锁随事务结束</translation>
    </message>
    <message>
        <source>%1; %2; %3.</source>
        <translation>%1；%2；%3。</translation>
    </message>
    <message>
        <source>Since the session last did something: the lock is at least that old; the server does not tell its age</source>
        <translation>自会话上次活动起：锁至少已有这么久；服务器不提供锁本身的时长</translation>
    </message>
    <message>
        <source>≤ %1</source>
        <translation>≤ %1</translation>
    </message>
    <message>
        <source>≥ %1</source>
        <translation>≥ %1</translation>
    </message>
    <message>
        <source>The engine&apos;s lock tables were not read then: %1</source>
        <translation>当时没有读取引擎的锁表：%1</translation>
    </message>
    <message>
        <source>There is no such schema, or this user may not use it: %1</source>
        <translation>没有这个 schema，或者此用户不能使用它：%1</translation>
    </message>
    <message>
        <source>This user may not read the engine&apos;s lock tables, if there are any: %1</source>
        <translation>此用户不能读取引擎的锁表（如果有的话）：%1</translation>
    </message>
    <message>
        <source>The engine&apos;s lock tables are not installed in this schema: %1</source>
        <translation>此 schema 中没有安装引擎的锁表：%1</translation>
    </message>
    <message>
        <source>Server restarted</source>
        <translation>服务器已重启</translation>
    </message>
    <message>
        <source>The server was restarted while this window was open: earlier sessions, and what they held, are gone. Leases stay.</source>
        <translation>服务器在此窗口观察期间重新启动：之前的会话及其持有的锁已不存在，租约仍然有效。</translation>
    </message>
    <message>
        <source>The server shows who waits for a row only to users with a grant for it: GRANT PROCESS ON *.* on MariaDB, GRANT SELECT ON performance_schema.* on MySQL. Connect again afterwards. A MySQL that was started with its performance schema off shows it to nobody.</source>
        <translation>服务器只向有相应权限的用户提供行锁的等待者：MariaDB 上为 GRANT PROCESS ON *.*，MySQL 上为 GRANT SELECT ON performance_schema.*。授权后请重新连接。若 MySQL 启动时关闭了 performance schema，则不向任何人提供。</translation>
    </message>
    <message>
        <source>Committed (XA)</source>
        <translation>已提交（XA）</translation>
    </message>
    <message>
        <source>A person committed a prepared transaction.</source>
        <translation>有人提交了一个已 prepare 的事务。</translation>
    </message>
    <message>
        <source>Rolled back (XA)</source>
        <translation>已回滚（XA）</translation>
    </message>
    <message>
        <source>A person rolled back a prepared transaction.</source>
        <translation>有人回滚了一个已 prepare 的事务。</translation>
    </message>
    <message>
        <source>transaction %1</source>
        <translation>事务 %1</translation>
    </message>
    <message>
        <source>In a table</source>
        <translation>在表中</translation>
    </message>
    <message>
        <source>A lock that another program keeps in a table of its own: held as far as its row tells.</source>
        <translation>其他程序保存在自己的表中的锁：是否持有以该行所示为准。</translation>
    </message>
    <message>
        <source>Redis key</source>
        <translation>Redis 键</translation>
    </message>
    <message>
        <source>ZooKeeper node</source>
        <translation>ZooKeeper 节点</translation>
    </message>
    <message>
        <source>etcd key</source>
        <translation>etcd 键</translation>
    </message>
    <message>
        <source>A lock that another program keeps in Redis, ZooKeeper or etcd: recognised by name, type and value.</source>
        <translation>其他程序保存在 Redis、ZooKeeper 或 etcd 中的锁：按名称、类型和值识别。</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>%1 holds %2</source>
        <translation>%1 持有 %2</translation>
    </message>
    <message>
        <source>%1: since %2</source>
        <translation>%1：自 %2</translation>
    </message>
    <message>
        <source>Since %1</source>
        <translation>自 %1 起</translation>
    </message>
    <message>
        <source>The server does not tell since when.</source>
        <translation>服务器没有说明从何时起。</translation>
    </message>
    <message>
        <source>it ends with its session</source>
        <translation>它随其会话结束</translation>
    </message>
    <message>
        <source>Its key does not tell since when.</source>
        <translation>它的键没有说明从何时开始。</translation>
    </message>
    <message>
        <source>Another program</source>
        <translation>另一个程序</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::PasswordDialog</name>
    <message>
        <source>Remember the password in the &amp;keyring</source>
        <translation>在密钥环中记住密码(&amp;K)</translation>
    </message>
    <message>
        <source>Password</source>
        <translation>密码</translation>
    </message>
    <message>
        <source>User</source>
        <translation>用户</translation>
    </message>
    <message>
        <source>Pass&amp;word</source>
        <translation>密码(&amp;W)</translation>
    </message>
    <message>
        <source>Change the &amp;settings…</source>
        <translation>更改设置(&amp;S)…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>&amp;Connect</source>
        <translation>连接(&amp;C)</translation>
    </message>
    <message>
        <source>the default user</source>
        <translation>默认用户</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::WaitSummary</name>
    <message numerus="yes">
        <source>%n queue behind it</source>
        <translation>
            <numerusform>%n 个排在它后面</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>blocks %n whom others block too</source>
        <translation>
            <numerusform>阻塞 %n 个，但他们还被其他会话阻塞</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n queue behind it.</source>
        <translation>
            <numerusform>%n 个排在它后面。</numerusform>
        </translation>
    </message>
    <message>
        <source>It blocks %1 directly, %2 in all.</source>
        <translation>它直接阻塞 %1 个，总共 %2 个。</translation>
    </message>
    <message numerus="yes">
        <source>%n waiter(s) go on once it ends.</source>
        <translation>
            <numerusform>它一结束，%n 个等待者即可继续。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n go on at once when it ends, up to %1 later, one after the other, if each commits.</source>
        <translation>
            <numerusform>它结束时 %n 个立即继续；若各自提交，随后最多 %1 个依次继续。</numerusform>
        </translation>
    </message>
    <message>
        <source>It waits in a ring: none of its sessions goes on by itself.</source>
        <translation>它在环中等待：环里没有会话能自行继续。</translation>
    </message>
    <message>
        <source>It has waited for %1.</source>
        <translation>它已等待 %1。</translation>
    </message>
    <message>
        <source>It does nothing, and its transaction has been open for %1.</source>
        <translation>它什么也不做，而其事务已打开 %1。</translation>
    </message>
    <message>
        <source>Its transaction has been open for %1.</source>
        <translation>其事务已打开 %1。</translation>
    </message>
    <message numerus="yes">
        <source>It is blocked by %n more session(s): %1.</source>
        <translation>
            <numerusform>它还被另外 %n 个会话阻塞：%1。</numerusform>
        </translation>
    </message>
    <message>
        <source>Nobody goes on if it alone ends: others block them too.</source>
        <translation>仅它结束时无人能继续：他们还被其他会话阻塞。</translation>
    </message>
    <message numerus="yes">
        <source>frees %n waiter(s)</source>
        <translation>
            <numerusform>释放 %n 个等待者</numerusform>
        </translation>
    </message>
    <message>
        <source>frees %1 at once, up to %2 later</source>
        <translation>立即释放 %1 个，随后最多 %2 个</translation>
    </message>
    <message>
        <source>%1, %2 of waiting</source>
        <translation>%1，共等待 %2</translation>
    </message>
    <message>
        <source>The server says no more about this session: it has ended, or it is a user&apos;s whose sessions are not shown.</source>
        <translation>服务器没有给出此会话的更多信息：它已结束，或属于不可见的用户。</translation>
    </message>
    <message>
        <source>It waits; the server does not tell since when.</source>
        <translation>它在等待；服务器没有说明从何时起。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::PreparedText</name>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 以及另外 %2 个</translation>
    </message>
    <message>
        <source>transaction %1</source>
        <translation>事务 %1</translation>
    </message>
    <message>
        <source>XA</source>
        <translation>XA</translation>
    </message>
    <message>
        <source>no session</source>
        <translation>无会话</translation>
    </message>
    <message>
        <source>XA %1</source>
        <translation>XA %1</translation>
    </message>
    <message>
        <source>XA, one of %1</source>
        <translation>XA,%1 之一</translation>
    </message>
    <message>
        <source>Without a session</source>
        <translation>没有会话</translation>
    </message>
    <message>
        <source>Prepared (XA)</source>
        <translation>已 prepare(XA)</translation>
    </message>
    <message>
        <source>XA COMMIT %1 or XA ROLLBACK %1 ends it.</source>
        <translation>XA COMMIT %1 或 XA ROLLBACK %1 可结束它。</translation>
    </message>
    <message>
        <source>XA RECOVER lists the names of prepared transactions; XA COMMIT or XA ROLLBACK ends them.</source>
        <translation>XA RECOVER 可列出已 prepare 的事务的名称;XA COMMIT 或 XA ROLLBACK 可结束它们。</translation>
    </message>
    <message>
        <source>Transaction %1 (%2) outlives this connection with all its locks. %3</source>
        <translation>事务 %1(%2)在此连接结束后仍保留其所有锁。%3</translation>
    </message>
    <message>
        <source>Its transaction may be a prepared one (XA): then it outlives this connection with all its locks, and only XA COMMIT or XA ROLLBACK ends it.</source>
        <translation>它的事务可能已 prepare(XA):那么在此连接结束后它仍保留其所有锁,只有 XA COMMIT 或 XA ROLLBACK 可结束它。</translation>
    </message>
    <message>
        <source>a transaction without a session may hold it: see XA RECOVER</source>
        <translation>可能由没有会话的事务持有:请查看 XA RECOVER</translation>
    </message>
    <message>
        <source>a prepared transaction may hold it: XA %1, see XA RECOVER</source>
        <translation>可能由已 prepare 的事务持有:XA %1,请查看 XA RECOVER</translation>
    </message>
    <message>
        <source>XA COMMIT or XA ROLLBACK ends it; the server does not tell which name it has.</source>
        <translation>XA COMMIT 或 XA ROLLBACK 可结束它;服务器不说明哪个名称属于它。</translation>
    </message>
    <message>
        <source>%1 Only session %2 can do that, until it has ended.</source>
        <translation>%1在会话 %2 结束之前,只有该会话可以这样做。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::FlatHeader</name>
    <message>
        <source>Usual columns</source>
        <translation>默认列</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LatencyRanks</name>
    <message>
        <source>Who waited</source>
        <translation>谁在等待</translation>
    </message>
    <message>
        <source>Who held</source>
        <translation>谁在持有</translation>
    </message>
    <message>
        <source>Resources</source>
        <translation>资源</translation>
    </message>
    <message>
        <source>95 %</source>
        <translation>95 %</translation>
    </message>
    <message>
        <source>Of those that were granted</source>
        <translation>仅限获得授予的请求</translation>
    </message>
    <message>
        <source>Requests</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>Holds</source>
        <translation>持有次数</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>Of the time that all requests waited together</source>
        <translation>占所有请求等待时间之和</translation>
    </message>
    <message>
        <source>Of the time that all held together</source>
        <translation>占所有持有时间之和</translation>
    </message>
    <message>
        <source>%1 together</source>
        <translation>合计 %1</translation>
    </message>
    <message>
        <source>Without prefix</source>
        <translation>无前缀</translation>
    </message>
    <message>
        <source>%1…</source>
        <translation>%1…</translation>
    </message>
    <message>
        <source>By the prefix that a program gives its names. Engines do not count single resources.</source>
        <translation>按程序为其名称所加的前缀。引擎不对单个资源计数。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::PreparedController</name>
    <message>
        <source>%1 was not done.</source>
        <translation>%1 未执行。</translation>
    </message>
    <message>
        <source>%1 is done, according to the server.</source>
        <translation>服务器确认:%1 已完成。</translation>
    </message>
    <message>
        <source>It is not known whether %1 was done; it may have been.</source>
        <translation>无法得知 %1 是否已执行；它可能已执行。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::PreparedDialog</name>
    <message>
        <source>&amp;Commit it</source>
        <translation>提交它(&amp;C)</translation>
    </message>
    <message>
        <source>Roll it &amp;back</source>
        <translation>回滚它(&amp;B)</translation>
    </message>
    <message>
        <source>End prepared transaction</source>
        <translation>结束已 prepare 的事务</translation>
    </message>
    <message>
        <source>Required</source>
        <translation>必填</translation>
    </message>
    <message>
        <source>%1, open for %2. Changed rows: %3.</source>
        <translation>%1,已打开 %2。已更改的行:%3。</translation>
    </message>
    <message>
        <source>End %1 on %2?</source>
        <translation>结束 %2 上的%1?</translation>
    </message>
    <message>
        <source>Ending…</source>
        <translation>正在结束…</translation>
    </message>
    <message>
        <source>End %1</source>
        <translation>结束%1</translation>
    </message>
    <message>
        <source>It has ended already. Nothing was done.</source>
        <translation>它已经结束。未执行任何操作。</translation>
    </message>
    <message>
        <source>Operator mode has ended: this server is read-only again.</source>
        <translation>操作员模式已结束:此服务器又恢复为只读。</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>The server does not tell which transaction has this name, so nobody knows who goes on.</source>
        <translation>服务器不说明哪个事务拥有此名称,因此无法得知谁会继续。</translation>
    </message>
    <message>
        <source>Its name</source>
        <translation>其名称</translation>
    </message>
    <message>
        <source>Choose its name</source>
        <translation>选择其名称</translation>
    </message>
    <message>
        <source>Choose first what becomes of it.</source>
        <translation>请先选择如何处理它。</translation>
    </message>
    <message>
        <source>Commit %1</source>
        <translation>提交%1</translation>
    </message>
    <message>
        <source>Roll back %1</source>
        <translation>回滚%1</translation>
    </message>
    <message>
        <source>This is exactly what is sent.</source>
        <translation>将原样发送以下内容。</translation>
    </message>
    <message>
        <source>Only its coordinator knows what was decided for it. If the other parts of its global transaction end differently, the data will be inconsistent. This cannot be taken back.</source>
        <translation>只有其协调器知道对它的决定。如果同一全局事务的其他分支以另一种方式结束,数据将不一致。此操作无法收回。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LanePainter</name>
    <message>
        <source>Queue ≤ %1</source>
        <translation>队列 ≤ %1</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>队列</translation>
    </message>
    <message>
        <source>now</source>
        <translation>现在</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LatencyControls</name>
    <message>
        <source>Period</source>
        <translation>时段</translation>
    </message>
    <message>
        <source>How much of the time until now</source>
        <translation>显示截至现在的多长时间</translation>
    </message>
    <message>
        <source>Last minute</source>
        <translation>最近 1 分钟</translation>
    </message>
    <message>
        <source>Last 5 minutes</source>
        <translation>最近 5 分钟</translation>
    </message>
    <message>
        <source>Last 15 minutes</source>
        <translation>最近 15 分钟</translation>
    </message>
    <message>
        <source>Last hour</source>
        <translation>最近 1 小时</translation>
    </message>
    <message>
        <source>Last 6 hours</source>
        <translation>最近 6 小时</translation>
    </message>
    <message>
        <source>Last 24 hours</source>
        <translation>最近 24 小时</translation>
    </message>
    <message>
        <source>What is measured</source>
        <translation>测量对象</translation>
    </message>
    <message>
        <source>From asking for a lock to the answer, or how long it is held</source>
        <translation>从请求锁到得到答复的时间，或持有锁的时间</translation>
    </message>
    <message>
        <source>Acquire</source>
        <translation>获取</translation>
    </message>
    <message>
        <source>Hold</source>
        <translation>持有</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>One mode, with all its percentiles, or all modes</source>
        <translation>单个模式及其全部百分位数，或所有模式</translation>
    </message>
    <message>
        <source>All modes</source>
        <translation>所有模式</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>Whose requests</source>
        <translation>谁的请求</translation>
    </message>
    <message>
        <source>All programs</source>
        <translation>所有程序</translation>
    </message>
    <message>
        <source>Resources</source>
        <translation>资源</translation>
    </message>
    <message>
        <source>Resources with the prefix that an application gives its names</source>
        <translation>带有应用程序命名前缀的资源</translation>
    </message>
    <message>
        <source>All resources</source>
        <translation>所有资源</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Draw another period in grey behind this one</source>
        <translation>在其后以灰色绘出另一时段</translation>
    </message>
    <message>
        <source>Compare with nothing</source>
        <translation>不对比</translation>
    </message>
    <message>
        <source>The period before</source>
        <translation>上一时段</translation>
    </message>
    <message>
        <source>A day before</source>
        <translation>前一天</translation>
    </message>
    <message>
        <source>Back to now</source>
        <translation>回到现在</translation>
    </message>
    <message>
        <source>Show the chosen length of time until now (Home, double click)</source>
        <translation>显示截至现在的所选时长（Home，双击）</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::PageExport</name>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>%1 could not be written.</source>
        <translation>无法写入 %1。</translation>
    </message>
    <message>
        <source>Saved %1.</source>
        <translation>已保存 %1。</translation>
    </message>
    <message>
        <source>Replace %1?</source>
        <translation>替换 %1 吗？</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LessonListModel</name>
    <message>
        <source>#</source>
        <translation>#</translation>
    </message>
    <message>
        <source>Lesson</source>
        <translation>课</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>难度</translation>
    </message>
    <message>
        <source>basic</source>
        <translation>基础</translation>
    </message>
    <message>
        <source>medium</source>
        <translation>中等</translation>
    </message>
    <message>
        <source>deep</source>
        <translation>深入</translation>
    </message>
    <message>
        <source>%1 (played)</source>
        <translation>%1（已播放）</translation>
    </message>
    <message>
        <source>%1 of %2 of the course played</source>
        <translation>课程已播放 %1/%2</translation>
    </message>
    <message>
        <source>Its place in the course, or that it is one of your own</source>
        <translation>在课程中的次序，或表明它是您自己的</translation>
    </message>
    <message>
        <source>own</source>
        <comment>Who has written a lesson</comment>
        <translation>自己的</translation>
    </message>
    <message>
        <source>%1: gone</source>
        <translation>%1：已不存在</translation>
    </message>
    <message>
        <source>%1: faulty</source>
        <translation>%1：有错误</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LessonLockModel</name>
    <message>
        <source>Session</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表</translation>
    </message>
    <message>
        <source>Index</source>
        <translation>索引</translation>
    </message>
    <message>
        <source>Strength</source>
        <translation>强度</translation>
    </message>
    <message>
        <source>On</source>
        <translation>范围</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>The index&apos;s columns, then those of the primary key</source>
        <translation>索引的列，之后是主键的列</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>gone</source>
        <translation>已消失</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>held</source>
        <translation>持有</translation>
    </message>
    <message>
        <source>%1, new</source>
        <translation>%1，新</translation>
    </message>
    <message>
        <source>held, was hidden</source>
        <translation>持有，先前不可见</translation>
    </message>
    <message>
        <source>It has had this lock for longer. The server shows it only since somebody waits for it.</source>
        <translation>它早已持有此锁。有人等待它之后服务器才显示出来。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LessonQuestionBox</name>
    <message>
        <source>Right. %1</source>
        <translation>正确。%1</translation>
    </message>
    <message>
        <source>No. %1</source>
        <translation>不对。%1</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LessonText</name>
    <message>
        <source>goes on: %1</source>
        <translation>继续：%1</translation>
    </message>
    <message>
        <source>still waits</source>
        <translation>仍在等待</translation>
    </message>
    <message>
        <source>The lesson expected: %1</source>
        <translation>课程预期：%1</translation>
    </message>
    <message>
        <source>true</source>
        <translation>属实</translation>
    </message>
    <message>
        <source>only if</source>
        <translation>有条件</translation>
    </message>
    <message>
        <source>false</source>
        <translation>不实</translation>
    </message>
    <message>
        <source>a prepared transaction</source>
        <translation>一个已准备的事务</translation>
    </message>
    <message>
        <source>waits for %1: the table</source>
        <translation>等待 %1：整张表</translation>
    </message>
    <message>
        <source>waits for %1: the table&apos;s definition</source>
        <translation>等待 %1：表的定义</translation>
    </message>
    <message>
        <source>waits for %1: a lock by name</source>
        <translation>等待 %1：一个命名锁</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>waits for %1</source>
        <translation>等待 %1</translation>
    </message>
    <message>
        <source>answered</source>
        <translation>已回答</translation>
    </message>
    <message>
        <source>done</source>
        <translation>完成</translation>
    </message>
    <message numerus="yes">
        <source>%n row(s) changed</source>
        <translation>
            <numerusform>改了 %n 行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n row(s) changed, number %1</source>
        <translation>
            <numerusform>改了 %n 行，编号 %1</numerusform>
        </translation>
    </message>
    <message>
        <source>rows</source>
        <translation>若干行</translation>
    </message>
    <message>
        <source>no rows</source>
        <translation>没有行</translation>
    </message>
    <message>
        <source>error %1</source>
        <translation>错误 %1</translation>
    </message>
    <message>
        <source>error %1: %2</source>
        <translation>错误 %1：%2</translation>
    </message>
    <message>
        <source>the end</source>
        <translation>末尾</translation>
    </message>
    <message>
        <source>What articles say</source>
        <translation>文章里的说法</translation>
    </message>
    <message>
        <source>%1 goes on: %2</source>
        <translation>%1 继续：%2</translation>
    </message>
    <message>
        <source>waits: %1</source>
        <translation>等待：%1</translation>
    </message>
    <message>
        <source>not sent</source>
        <translation>未发送</translation>
    </message>
    <message numerus="yes">
        <source>%n row(s)</source>
        <translation>
            <numerusform>%n 行</numerusform>
        </translation>
    </message>
    <message>
        <source>row</source>
        <translation>行</translation>
    </message>
    <message>
        <source>table</source>
        <translation>表</translation>
    </message>
    <message>
        <source>definition</source>
        <translation>表定义</translation>
    </message>
    <message>
        <source>name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>%1 (not played yet)</source>
        <translation>%1（尚未播放）</translation>
    </message>
    <message>
        <source>gone</source>
        <translation>已断开</translation>
    </message>
    <message>
        <source>%1&apos;s client dies</source>
        <translation>%1 的客户端死亡</translation>
    </message>
    <message>
        <source>The server kills %1</source>
        <translation>服务器终止 %1</translation>
    </message>
    <message>
        <source>The network loses %1</source>
        <translation>网络丢失 %1</translation>
    </message>
    <message>
        <source>%1&apos;s client freezes</source>
        <translation>%1 的客户端冻结</translation>
    </message>
    <message>
        <source>%1&apos;s client goes on</source>
        <translation>%1 的客户端恢复</translation>
    </message>
    <message>
        <source>%1 s go by</source>
        <translation>过去 %1 秒</translation>
    </message>
    <message>
        <source>Until %1 is answered</source>
        <translation>直到 %1 得到回答</translation>
    </message>
    <message>
        <source>not sent: its session waits or stands still</source>
        <translation>未发送：会话在等待或停住不动</translation>
    </message>
    <message>
        <source>killed</source>
        <translation>被终止</translation>
    </message>
    <message>
        <source>lost</source>
        <translation>失联</translation>
    </message>
    <message>
        <source>frozen</source>
        <translation>冻结</translation>
    </message>
    <message>
        <source>thawed</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>The library lists the lessons and, beside them, what articles say about locks: true, only if, or false; Enter opens the lesson that shows it. What was foreseen is counted by topic in the tool tip, and what was not can be asked again.</source>
        <translation>课程列表旁边还列出了文章里关于锁的说法：对、仅当、错；按 Enter 打开演示它的课程。预测对的次数按主题计入提示，答错的问题可以再问一次。</translation>
    </message>
    <message>
        <source>stands still</source>
        <translation>停住不动</translation>
    </message>
    <message>
        <source>pause</source>
        <translation>停顿</translation>
    </message>
    <message>
        <source>waits for %1: a row or a gap</source>
        <translation>等待 %1：一行或一个间隙</translation>
    </message>
    <message>
        <source>waits for %1, since %2 s</source>
        <translation>等待 %1，已 %2 秒</translation>
    </message>
    <message>
        <source>waits, since %1 s</source>
        <translation>等待，已 %1 秒</translation>
    </message>
    <message>
        <source>prepared transaction</source>
        <translation>已准备的事务</translation>
    </message>
    <message>
        <source>%L1 rows, the first %2 shown: %3</source>
        <translation>共 %L1 行，显示前 %2 行：%3</translation>
    </message>
    <message>
        <source>Each lesson is two or more sessions on a real server, statement by statement: choose one, and press Next (Alt+Right). A lane is a session; an arrow is followed by what the server answered, or for whom the session waits. Below are the row locks that the server holds at that moment: as bars on the entries and gaps of each index, where a dashed one waits; and as a list, where what the step added is marked and what it took away is struck through.

The time line draws the same: dashed arrows go from who waits to whom it waits for, whole ones from who frees to whom is freed. A click on a step, here or in a lane, Left and Right look back at it, with what was locked then and what the lesson says there, and End returns; a click on a step that is not played yet plays up to there.

Some steps are preceded by a question: say what will happen before you see it.

Free play makes you the scheduler: choose whose statement is next (Alt+1, Alt+2, …), run a statement of your own in any session, or let a client die, freeze or be lost; Next then plays what the lesson has left. Some lessons have goals to be reached so.

Back replays the lesson in a fresh schema. Lessons play on the private server, which is started when it is needed, with an account that may use the lesson&apos;s schema and nothing else; nothing is left of it. Ctrl+E saves what was played, with the server&apos;s real answers: to read as Markdown or HTML, the time line as a picture for slides, or as a script to type into plain clients.</source>
        <translation>每一课是在真实服务器上逐条执行语句的两个或更多会话：选一课，按“下一步”（Alt+Right）。一列是一个会话；箭头之后是服务器的回答，或者该会话在等谁。下面是此刻服务器持有的行锁：先画成各索引的记录和间隙上的条，虚线的在等待；再列成表，这一步新增的有标记，消失的划掉。

时间线把同样的过程画成图：虚线箭头从等待者指向它所等的会话，实线箭头从释放者指向被释放者。在这里或语句列中单击某一步，或按向左、向右键，可以回看那一步、当时的锁以及课程对它的说明，End 回到最新一步；单击尚未播放的一步会播放到那里。

有些步骤之前有一个问题：先说会发生什么，再看结果。

“自由推演”让你来当调度者：选择接下来执行谁的语句（Alt+1、Alt+2……），在任一会话中运行自己的语句，或让客户端死亡、冻结、断网；之后“下一步”播放本课剩下的语句。有些课有可以这样达成的目标。

“上一步”在全新的库中重放。课程在私有服务器上播放，需要时自动启动，所用账户只能使用本课的库；之后什么也不留下。Ctrl+E 保存播放过的内容和服务器的真实回答：可供阅读的 Markdown 或 HTML、用于幻灯片的时间线图片，或可输入到普通客户端的脚本。</translation>
    </message>
    <message>
        <source>Side by side plays the lesson at each isolation level, and beside the private server where you choose so: on one of the other family, or on one that the window knows, after a question.</source>
        <translation>“并列对比”在每个隔离级别播放本课；如果您选择，除私有服务器外还在另一种数据库的服务器上，或在询问之后，在窗口已知的服务器上播放。</translation>
    </message>
    <message>
        <source>Open a file… lists a lesson of your own, as does a file that is dropped on the library. It is read anew each time you choose it, and what is wrong with it stands in its place.</source>
        <translation>“打开文件…”把您自己的课程列入列表，把文件拖放到课程库上也一样。每次选中都会重新读取，其中的错误显示在课程的位置上。</translation>
    </message>
    <message>
        <source>%1 and the account %2 are still on the server. The next lesson that is played there removes them.</source>
        <translation>%1 和账户 %2 仍在服务器上。下一次在那里播放课程时会删除它们。</translation>
    </message>
    <message>
        <source>First a prepared transaction of the lesson has to end, which is one of these:</source>
        <translation>在此之前必须先结束本课的一个已准备的事务（XA），它是下列之一：</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LessonsPage</name>
    <message>
        <source>Lessons</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>课程列表</translation>
    </message>
    <message>
        <source>Shows or folds the list of lessons</source>
        <translation>显示或收起课程列表</translation>
    </message>
    <message>
        <source>Keep as a lesson</source>
        <translation>保存为一课</translation>
    </message>
    <message>
        <source>%1 was not written.</source>
        <translation>%1 未写入。</translation>
    </message>
    <message>
        <source>Kept, and listed among your own. This plays it too: lockctl lesson run %1</source>
        <translation>已保存，并列入您自己的课程。也可以这样播放：lockctl lesson run %1</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::IndexRuler</name>
    <message>
        <source>Indexes and the locks on them</source>
        <translation>各索引及其上的锁</translation>
    </message>
    <message>
        <source>Nothing to draw: no entries are known here</source>
        <translation>没有可画的：此刻不知道有哪些记录</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::IndexPicture</name>
    <message>
        <source>%1 waits to insert into this gap</source>
        <translation>%1 等待向这个间隙插入</translation>
    </message>
    <message>
        <source>%1 waits for this lock</source>
        <translation>%1 等待这个锁</translation>
    </message>
    <message>
        <source>%1 holds this lock</source>
        <translation>%1 持有这个锁</translation>
    </message>
    <message>
        <source>end</source>
        <translation>末尾</translation>
    </message>
    <message>
        <source>before %1</source>
        <translation>%1 之前</translation>
    </message>
    <message>
        <source>%1 has had this lock for longer; the server shows it only since somebody waits for it</source>
        <translation>%1 早已持有此锁；有人等待它之后服务器才显示出来</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LessonLibraryBox</name>
    <message>
        <source>Filter by any word</source>
        <translation>按任意词筛选</translation>
    </message>
    <message>
        <source>Lessons</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>What articles say</source>
        <translation>文章里的说法</translation>
    </message>
    <message>
        <source>%1 to be asked again</source>
        <translation>还有 %1 个问题要再问</translation>
    </message>
    <message>
        <source>Plays a lesson up to the question that was answered wrong</source>
        <translation>将课程播放到答错的问题处</translation>
    </message>
    <message>
        <source>No lesson has these words</source>
        <translation>没有课程含有这些词</translation>
    </message>
    <message>
        <source>Nothing that articles say has these words</source>
        <translation>文章的说法中没有这些词</translation>
    </message>
    <message>
        <source>Clear filter</source>
        <translation>清除筛选</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LinkText</name>
    <message>
        <source>Flash sale</source>
        <translation>秒杀</translation>
    </message>
    <message>
        <source>Nightly job on 20 hosts</source>
        <translation>20 台主机的夜间作业</translation>
    </message>
    <message>
        <source>Hot row</source>
        <translation>热点行</translation>
    </message>
    <message>
        <source>Long holder</source>
        <translation>长时间持有</translation>
    </message>
    <message>
        <source>Crashing holders</source>
        <translation>持有者崩溃</translation>
    </message>
    <message>
        <source>Thundering herd</source>
        <translation>惊群</translation>
    </message>
    <message>
        <source>Fair queue</source>
        <translation>公平队列</translation>
    </message>
    <message>
        <source>en</source>
        <comment>The language of the lessons: en or zh_CN</comment>
        <translation>zh_CN</translation>
    </message>
    <message>
        <source>Four stores</source>
        <translation>四种存储</translation>
    </message>
    <message>
        <source>Redlock: nodes that forget</source>
        <translation>Redlock：会遗忘的节点</translation>
    </message>
    <message>
        <source>Redlock: clocks that jump</source>
        <translation>Redlock：时钟跳变</translation>
    </message>
    <message>
        <source>Redis: a failover</source>
        <translation>Redis：故障切换</translation>
    </message>
    <message>
        <source>Redis: a crash before EXPIRE</source>
        <translation>Redis：EXPIRE 之前崩溃</translation>
    </message>
    <message>
        <source>ZooKeeper, etcd: a frozen holder</source>
        <translation>ZooKeeper、etcd：被冻结的持有者</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LessonMomentBox</name>
    <message>
        <source>Row locks after this step</source>
        <translation>这一步之后的行锁</translation>
    </message>
    <message>
        <source>Indexes and locks</source>
        <translation>索引和锁</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LessonTimeline</name>
    <message>
        <source>Time line</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>A click plays up to here.</source>
        <translation>单击会播放到这里。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::FreePlayBar</name>
    <message>
        <source>A fault</source>
        <translation>故障</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Whose turn:</source>
        <translation>轮到谁：</translation>
    </message>
    <message>
        <source>What may befall a session</source>
        <translation>会话可能遇到的事</translation>
    </message>
    <message>
        <source>The session that runs the statement</source>
        <translation>执行该语句的会话</translation>
    </message>
    <message>
        <source>Session of your statement</source>
        <translation>你的语句所用的会话</translation>
    </message>
    <message>
        <source>What if …? A statement of your own</source>
        <translation>如果……会怎样？写一条你自己的语句</translation>
    </message>
    <message>
        <source>A statement of your own</source>
        <translation>你自己的语句</translation>
    </message>
    <message>
        <source>%1 waits, or stands still</source>
        <translation>%1 在等待，或停住不动</translation>
    </message>
    <message>
        <source>The lesson has no more statements of %1</source>
        <translation>本课没有 %1 的更多语句</translation>
    </message>
    <message>
        <source>%1 steps are enough.</source>
        <translation>%1 步就够了。</translation>
    </message>
    <message>
        <source>Reached in %1 steps: nobody knows a shorter way.</source>
        <translation>用 %1 步达成：没有人知道更短的办法。</translation>
    </message>
    <message>
        <source>Reached in %1 steps; %2 are enough.</source>
        <translation>用 %1 步达成；%2 步就够了。</translation>
    </message>
    <message>
        <source>Keep as a lesson…</source>
        <translation>保存为一课…</translation>
    </message>
    <message>
        <source>Saves what was played, in your order, as the file of a lesson to edit and to play again</source>
        <translation>把按你的顺序执行过的内容保存为课程文件，可编辑并再次播放</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LessonClaimModel</name>
    <message>
        <source>What articles say</source>
        <translation>文章里的说法</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>%1

Shown by: %2</source>
        <translation>%1

演示课程：%2</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LessonScore</name>
    <message>
        <source>clock</source>
        <translation>时钟</translation>
    </message>
    <message>
        <source>deadlock</source>
        <translation>死锁</translation>
    </message>
    <message>
        <source>errors</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>fairness</source>
        <translation>公平性</translation>
    </message>
    <message>
        <source>fencing</source>
        <translation>防护令牌</translation>
    </message>
    <message>
        <source>gap lock</source>
        <translation>间隙锁</translation>
    </message>
    <message>
        <source>lost update</source>
        <translation>丢失更新</translation>
    </message>
    <message>
        <source>metadata lock</source>
        <translation>元数据锁</translation>
    </message>
    <message>
        <source>optimiser</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>optimistic</source>
        <translation>乐观锁</translation>
    </message>
    <message>
        <source>release</source>
        <translation>释放</translation>
    </message>
    <message>
        <source>snapshot</source>
        <translation>快照</translation>
    </message>
    <message>
        <source>time to live</source>
        <translation>存活时间</translation>
    </message>
    <message>
        <source>transaction</source>
        <translation>事务</translation>
    </message>
    <message>
        <source>unique key</source>
        <translation>唯一键</translation>
    </message>
    <message>
        <source>user lock</source>
        <translation>用户锁</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>%1 of %2 foreseen</source>
        <translation>预测对 %1 次，共 %2 次</translation>
    </message>
    <message>
        <source>%1: %2 of %3</source>
        <translation>%1：%3 次中对 %2 次</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LessonExerciseBox</name>
    <message>
        <source>Try it</source>
        <translation>试一试</translation>
    </message>
    <message>
        <source>Show a solution</source>
        <translation>显示一个答案</translation>
    </message>
    <message>
        <source>Another exercise</source>
        <translation>另一道练习</translation>
    </message>
    <message>
        <source>The statement to edit</source>
        <translation>要修改的语句</translation>
    </message>
    <message>
        <source>Runs it through the whole lesson, at each isolation level and in two orders</source>
        <translation>在每个隔离级别、按两种顺序把它放进整课执行</translation>
    </message>
    <message>
        <source>Step %1 is to be better. %2</source>
        <translation>改进第 %1 步。%2</translation>
    </message>
    <message>
        <source>, the sessions the other way round: %1</source>
        <translation>，会话对调：%1</translation>
    </message>
    <message>
        <source>, in the lesson&apos;s order: %1</source>
        <translation>，按本课顺序：%1</translation>
    </message>
    <message>
        <source>solved</source>
        <translation>已解决</translation>
    </message>
    <message>
        <source>not solved</source>
        <translation>未解决</translation>
    </message>
    <message>
        <source>Solved.</source>
        <translation>已解决。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::ClientScript</name>
    <message>
        <source>Played on %1 %2, %3.</source>
        <translation>在 %1 %2 上播放，%3。</translation>
    </message>
    <message>
        <source>Open a client for each session: %1. Type what follows in the order of the numbers,
each statement in the client that is named before it; below it stands what the server
answered. A client that waits shows nothing until it is freed.</source>
        <translation>为每个会话打开一个客户端：%1。按编号顺序输入下面的内容，
每条语句输入到它前面写明的客户端；语句下面是服务器当时的回答。
正在等待的客户端在被释放之前什么也不显示。</translation>
    </message>
    <message>
        <source>First, in any client:</source>
        <translation>首先，在任意一个客户端：</translation>
    </message>
    <message>
        <source>Then, in each client:</source>
        <translation>然后，在每个客户端：</translation>
    </message>
    <message>
        <source>When all is done, in any client: DROP DATABASE %1</source>
        <translation>全部完成后，在任意一个客户端：DROP DATABASE %1</translation>
    </message>
    <message>
        <source>Instead of 0 the number that SELECT CONNECTION_ID() shows in %1:</source>
        <translation>把 0 换成在 %1 中 SELECT CONNECTION_ID() 显示的数字：</translation>
    </message>
    <message>
        <source>Left out, as it may reach another schema:</source>
        <translation>已省略，因为它可能涉及其他数据库：</translation>
    </message>
    <message>
        <source>Left out, as it may change the server, its accounts or another schema, or end sessions:</source>
        <translation>已省略，因为它可能更改服务器、账户或其他数据库，或结束会话：</translation>
    </message>
    <message>
        <source>Left out, as it may read or write files of the server:</source>
        <translation>已省略，因为它可能读写服务器上的文件：</translation>
    </message>
    <message>
        <source>Left out, as it is several statements, of which the server took none:</source>
        <translation>已省略，因为它是多条语句，服务器一条也没有接受：</translation>
    </message>
    <message>
        <source>Left out, as it cannot be said what a client would run:</source>
        <translation>已省略，因为无法确定客户端会执行什么：</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LessonHtml</name>
    <message>
        <source>Before the first step</source>
        <translation>第一步之前</translation>
    </message>
    <message>
        <source>Step by step</source>
        <translation>逐步过程</translation>
    </message>
    <message>
        <source>en</source>
        <comment>The language of a page: en or zh-CN</comment>
        <translation>zh-CN</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LessonPictures</name>
    <message>
        <source>Time line</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Indexes and locks</source>
        <translation>索引和锁</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LessonCompareBox</name>
    <message>
        <source>Play on all</source>
        <translation>在各处播放</translation>
    </message>
    <message>
        <source>The lesson side by side</source>
        <translation>本课并排对比</translation>
    </message>
    <message>
        <source>Statement</source>
        <translation>语句</translation>
    </message>
    <message>
        <source>Playing…</source>
        <translation>正在播放…</translation>
    </message>
    <message>
        <source>The same everywhere.</source>
        <translation>各处相同。</translation>
    </message>
    <message>
        <source>Steps that differ from the first column: %1.</source>
        <translation>与第一列不同的步骤：%1。</translation>
    </message>
    <message>
        <source>Plays the lesson at each isolation level, on the private server and on the one beside it</source>
        <translation>在每个隔离级别播放本课：在私有服务器上，以及在对照的服务器上</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LessonAutoPlay</name>
    <message>
        <source>Auto-play</source>
        <translation>自动播放</translation>
    </message>
    <message>
        <source>Slow</source>
        <translation>慢</translation>
    </message>
    <message>
        <source>Normal</source>
        <translation>中</translation>
    </message>
    <message>
        <source>Fast</source>
        <translation>快</translation>
    </message>
    <message>
        <source>How fast Auto-play goes</source>
        <translation>自动播放的速度</translation>
    </message>
    <message>
        <source>Auto-play: a step every %L1 s</source>
        <translation>自动播放：每 %L1 秒一步</translation>
    </message>
    <message>
        <source>Plays on by itself; stops at questions, and after a wrong answer</source>
        <translation>自动播放；遇到问题以及答错之后停下</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LessonLanes</name>
    <message>
        <source>Sessions and their statements</source>
        <translation>各会话及其语句</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LessonTransport</name>
    <message>
        <source>Back</source>
        <translation>上一步</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>Start over</source>
        <translation>重新开始</translation>
    </message>
    <message>
        <source>Free play</source>
        <translation>自由推演</translation>
    </message>
    <message>
        <source>Exercise</source>
        <translation>练习</translation>
    </message>
    <message>
        <source>Replays the lesson in a fresh schema up to the step before (Alt+Left)</source>
        <translation>在全新的库中重放到上一步（Alt+Left）</translation>
    </message>
    <message>
        <source>Plays the next step (Alt+Right)</source>
        <translation>播放下一步（Alt+Right）</translation>
    </message>
    <message>
        <source>Begins the lesson anew, in a fresh schema</source>
        <translation>在全新的库中从头开始</translation>
    </message>
    <message>
        <source>You choose whose statement is next, write your own, and see what faults do</source>
        <translation>由你决定接下来执行谁的语句，也可写自己的语句，并看看故障的后果</translation>
    </message>
    <message>
        <source>Write one of the lesson&apos;s statements better</source>
        <translation>把本课的一条语句写得更好</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::BesideChooser</name>
    <message>
        <source>&amp;Beside:</source>
        <translation>对照(&amp;B)：</translation>
    </message>
    <message>
        <source>Where the lesson is played besides the private server</source>
        <translation>除私有服务器外，本课还在哪里播放</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <source>the other family, on a private server</source>
        <translation>另一种数据库（私有服务器）</translation>
    </message>
    <message>
        <source>%1 (production)</source>
        <translation>%1（生产）</translation>
    </message>
    <message>
        <source>Play lessons there?</source>
        <translation>在那里播放课程？</translation>
    </message>
    <message>
        <source>Play lessons on %1?</source>
        <translation>在 %1 上播放课程？</translation>
    </message>
    <message>
        <source>Play there</source>
        <translation>在那里播放</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Beside: %1 %2 (%3), on a private server of its own.</source>
        <translation>对照：%1 %2（%3），在它自己的私有服务器上。</translation>
    </message>
    <message>
        <source>The server refused this user or password the last time.</source>
        <translation>服务器上次拒绝了该用户或密码。</translation>
    </message>
    <message>
        <source>For each run a schema and an account are made there, lockscope_lesson_… and lockscope_l_…, and removed at its end, also when it fails. The account may use that schema alone and see who waits for whom, and logs in from this machine only. A server&apos;s replicas get both too.

%1 needs the rights of sql/grants/lessons.mariadb.sql or lessons.mysql.sql there. One of them, CREATE USER, can also change the passwords of others.

What a lesson locks by GET_LOCK is a name of the whole server: others who use the same name wait. A lesson of a stranger&apos;s can end prepared transactions (XA) of others too.</source>
        <translation>每次运行都会在那里建立一个库和一个账户：lockscope_lesson_… 和 lockscope_l_…。运行结束时两者都会删除，失败时也一样。该账户只能使用这个库，能看到谁在等谁，并且只能从本机登录。服务器的副本也会得到这两者。

%1 在那里需要 sql/grants/lessons.mariadb.sql 或 lessons.mysql.sql 中的权限。其中的 CREATE USER 还能修改他人的密码。

本课用 GET_LOCK 锁住的名字是整个服务器共用的：使用同一名字的其他人会等待。陌生人的课程还可能结束他人的已准备事务（XA）。</translation>
    </message>
    <message>
        <source>No %1 server is installed here: install one, or name its program in %2.</source>
        <translation>这里没有安装 %1 服务器：请安装一个，或在 %2 中指定其程序。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LessonFaultBox</name>
    <message>
        <source>Read it again</source>
        <translation>重新读取</translation>
    </message>
    <message>
        <source>Take it off the list</source>
        <translation>从列表移除</translation>
    </message>
    <message>
        <source>The file stays as it is</source>
        <translation>文件保持不变</translation>
    </message>
    <message>
        <source>%1 is gone</source>
        <translation>%1 已不存在</translation>
    </message>
    <message>
        <source>%1 is no lesson yet</source>
        <translation>%1 还不是课程</translation>
    </message>
    <message>
        <source>There is no file %1 any more.</source>
        <translation>文件 %1 已不存在。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LessonFileBar</name>
    <message>
        <source>Open a file…</source>
        <translation>打开文件…</translation>
    </message>
    <message>
        <source>Take off the list</source>
        <translation>从列表移除</translation>
    </message>
    <message>
        <source>Lists a lesson of your own, from its file; it can be dropped here too</source>
        <translation>把您自己的课程文件列入列表；也可以把文件拖放到这里</translation>
    </message>
    <message>
        <source>%1 stays as it is</source>
        <translation>%1 保持不变</translation>
    </message>
    <message>
        <source>Open lessons of your own</source>
        <translation>打开您自己的课程</translation>
    </message>
    <message>
        <source>Lessons (*.md)</source>
        <translation>课程 (*.md)</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LessonProse</name>
    <message>
        <source>What the lesson says</source>
        <translation>课文</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LessonStage</name>
    <message>
        <source>The isolation level of the sessions</source>
        <translation>各会话的隔离级别</translation>
    </message>
    <message>
        <source>Statements</source>
        <translation>语句</translation>
    </message>
    <message>
        <source>Time line</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Side by side</source>
        <translation>并排对比</translation>
    </message>
    <message>
        <source>Run it in the lab: %1</source>
        <comment>names of scenarios</comment>
        <translation>在实验室中运行：%1</translation>
    </message>
    <message>
        <source>This lesson shows something that %1 does not have.</source>
        <translation>这一课演示的东西 %1 没有。</translation>
    </message>
    <message>
        <source>The lesson&apos;s schema is being made…</source>
        <translation>正在创建本课的库…</translation>
    </message>
    <message>
        <source>You look at step %1 of %2</source>
        <translation>正在看第 %1 步，共 %2 步</translation>
    </message>
    <message>
        <source>Step %1 of %2: what will happen?</source>
        <translation>第 %1 步，共 %2 步：会发生什么？</translation>
    </message>
    <message>
        <source>In your order: %1 played, %2 of the lesson left</source>
        <translation>按你的顺序：已执行 %1 步，本课还剩 %2 步</translation>
    </message>
    <message>
        <source>In your order: whoever has something left to do waits</source>
        <translation>按你的顺序：还有事可做的会话都在等待</translation>
    </message>
    <message>
        <source>%1 of %2 steps played</source>
        <translation>已播放 %1 步，共 %2 步</translation>
    </message>
    <message>
        <source>Played. This server did not do everything that the lesson expects.</source>
        <translation>已播放完。这台服务器的表现与课程的预期有出入。</translation>
    </message>
    <message>
        <source>Played: everything was as the lesson expects.</source>
        <translation>已播放完：一切与课程的预期一致。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::DeadlockInspector</name>
    <message>
        <source>Select a deadlock to see who waited for whom, why, and what ends such deadlocks.</source>
        <translation>选择一次死锁，查看谁在等待谁、原因以及如何避免此类死锁。</translation>
    </message>
    <message>
        <source>The server&apos;s own text</source>
        <translation>服务器自己的文本</translation>
    </message>
    <message>
        <source>No deadlock selected</source>
        <translation>未选择死锁</translation>
    </message>
    <message numerus="yes">
        <source>%n more are in the copied text.</source>
        <translation>
            <numerusform>另有 %n 项在复制的文本中。</numerusform>
        </translation>
    </message>
    <message>
        <source>As the server sent it</source>
        <translation>服务器发送的原文</translation>
    </message>
    <message>
        <source>Its beginning; the whole of it is in the copied text.</source>
        <translation>这是开头部分；全文在复制的文本中。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::DeadlockListModel</name>
    <message>
        <source>Last seen</source>
        <translation>最近一次</translation>
    </message>
    <message>
        <source>By the server&apos;s own clock, in its time zone</source>
        <translation>按服务器自己的时钟和时区</translation>
    </message>
    <message>
        <source>Seen</source>
        <translation>次数</translation>
    </message>
    <message>
        <source>How many of this shape were captured</source>
        <translation>捕获到多少次此种形态的死锁</translation>
    </message>
    <message>
        <source>Tables</source>
        <translation>表</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>What such deadlocks have in common</source>
        <translation>此类死锁的共同点</translation>
    </message>
    <message>
        <source>Rolled back</source>
        <translation>被回滚者</translation>
    </message>
    <message>
        <source>The statement that was rolled back the last time</source>
        <translation>最近一次被回滚的语句</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::DeadlockText</name>
    <message numerus="yes">
        <source>%n more transaction(s) are not drawn.</source>
        <translation>
            <numerusform>另有 %n 个事务未画出。</numerusform>
        </translation>
    </message>
    <message>
        <source>Deadlocks that the server found among transactions and ended by rolling one of them back. Deadlocks of the same statements, whatever their values, at the same indexes are one row: one cause, and one thing to change. The last one of them is drawn, with who waited for whom and for which entry of which index.

A server keeps the text of its latest deadlock alone. Those that came between two looks are counted below the list, as not captured. What is listed here is kept until the window looks at another server.

Deadlocks that lessons and the lab made on purpose are listed and said to be, and not counted beside the page&apos;s name.

/ filters, Enter shows or hides the details, Ctrl+C copies everything as text, Ctrl+E exports the list or the picture, F5 asks the server now.</source>
        <translation>服务器在事务之间发现死锁，并通过回滚其中一个来结束。语句相同（不论其值）且索引相同的死锁为一行：一个原因，一处需要修改。画出的是其中最近的一次：谁在等待谁，以及等待哪个索引的哪一项。

服务器只保留最近一次死锁的文本。发生在两次查看之间的死锁计在列表下方，即“未捕获”。这里列出的内容会一直保留，直到窗口查看另一台服务器。

课程和实验室有意造成的死锁也会列出并注明，但不计入页面名称旁的数目。

/ 筛选，Enter 显示或隐藏详情，Ctrl+C 将全部内容复制为文本，Ctrl+E 导出列表或图，F5 立即询问服务器。</translation>
    </message>
    <message>
        <source>Different orders</source>
        <translation>顺序不同</translation>
    </message>
    <message>
        <source>Shared, then alone</source>
        <translation>先共享，后独占</translation>
    </message>
    <message>
        <source>One gap</source>
        <translation>同一间隙</translation>
    </message>
    <message>
        <source>One unique key</source>
        <translation>同一唯一键</translation>
    </message>
    <message>
        <source>Different indexes</source>
        <translation>索引不同</translation>
    </message>
    <message>
        <source>Different tables</source>
        <translation>表不同</translation>
    </message>
    <message>
        <source>Not told</source>
        <translation>未说明</translation>
    </message>
    <message>
        <source>They locked the same rows in different orders.</source>
        <translation>它们以不同的顺序锁定了相同的行。</translation>
    </message>
    <message>
        <source>Each had a shared lock that it then wanted alone.</source>
        <translation>每个事务都持有共享锁，随后又想独占它。</translation>
    </message>
    <message>
        <source>They locked one gap, which is allowed, and then inserted into it, which is not.</source>
        <translation>它们锁定了同一间隙（这是允许的），随后又向其中插入（这是不允许的）。</translation>
    </message>
    <message>
        <source>Inserts of the same unique key waited for a row that was rolled back, and all got a shared lock.</source>
        <translation>同一唯一键的多个插入在等待一行，该行被回滚后，它们都得到了共享锁。</translation>
    </message>
    <message>
        <source>They reached the same rows by different indexes.</source>
        <translation>它们通过不同的索引到达相同的行。</translation>
    </message>
    <message>
        <source>They locked tables in different orders.</source>
        <translation>它们以不同的顺序锁定了表。</translation>
    </message>
    <message>
        <source>Why cannot be told from what the server printed.</source>
        <translation>从服务器打印的内容无法得知原因。</translation>
    </message>
    <message>
        <source>It prints who held what when innodb_deadlock_report is full.</source>
        <translation>将 innodb_deadlock_report 设为 full 时，服务器会打印谁持有什么。</translation>
    </message>
    <message>
        <source>Lock them in one order everywhere, by key for example, and what is to be changed FOR UPDATE at first.</source>
        <translation>请在所有地方按同一顺序加锁，例如按键的顺序；要修改的行请一开始就用 FOR UPDATE 加锁。</translation>
    </message>
    <message>
        <source>Take the exclusive lock at first (FOR UPDATE).</source>
        <translation>请一开始就取得排他锁（FOR UPDATE）。</translation>
    </message>
    <message>
        <source>Insert first and act on a duplicate key, or use READ COMMITTED.</source>
        <translation>请先插入并处理重复键，或使用 READ COMMITTED。</translation>
    </message>
    <message>
        <source>Try the transaction again, or have the row there beforehand.</source>
        <translation>请重试该事务，或事先准备好该行。</translation>
    </message>
    <message>
        <source>Lock by the primary key first, or by one index everywhere.</source>
        <translation>请先按主键加锁，或在所有地方使用同一索引。</translation>
    </message>
    <message>
        <source>Use one order everywhere; a foreign key locks its parent too.</source>
        <translation>请在所有地方使用同一顺序；外键也会锁定其父表。</translation>
    </message>
    <message>
        <source>Try the transaction that was rolled back again.</source>
        <translation>请重试被回滚的事务。</translation>
    </message>
    <message>
        <source>no statement was printed</source>
        <translation>未打印语句</translation>
    </message>
    <message>
        <source>Transaction %1</source>
        <translation>事务 %1</translation>
    </message>
    <message>
        <source>Transaction %1, session %2</source>
        <translation>事务 %1，会话 %2</translation>
    </message>
    <message>
        <source>rolled back</source>
        <translation>已回滚</translation>
    </message>
    <message>
        <source>table %1</source>
        <translation>表 %1</translation>
    </message>
    <message>
        <source>end of the index</source>
        <translation>索引末尾</translation>
    </message>
    <message>
        <source>waits for %1</source>
        <translation>等待 %1</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Transaction %1 waits for transaction %2: %3</source>
        <translation>事务 %1 等待事务 %2：%3</translation>
    </message>
    <message>
        <source>No statement was printed.</source>
        <translation>未打印语句。</translation>
    </message>
    <message>
        <source>(cut by the server)</source>
        <translation>（被服务器截断）</translation>
    </message>
    <message>
        <source>%1, open for %2</source>
        <translation>%1，已打开 %2</translation>
    </message>
    <message numerus="yes">
        <source>%n more are in the server&apos;s text.</source>
        <translation>
            <numerusform>另有 %n 项在服务器的文本中。</numerusform>
        </translation>
    </message>
    <message>
        <source>holds %1</source>
        <translation>持有 %1</translation>
    </message>
    <message>
        <source>%1 was rolled back.</source>
        <translation>%1 被回滚。</translation>
    </message>
    <message>
        <source>Once, at %1 by the server&apos;s clock</source>
        <translation>一次，服务器时间 %1</translation>
    </message>
    <message>
        <source>%1 times, at last at %2, first at %3 by the server&apos;s clock</source>
        <translation>%1 次，最近于服务器时间 %2，首次于 %3</translation>
    </message>
    <message>
        <source>Made on purpose by a lesson or the lab: all of it lies in the schema of one run.</source>
        <translation>由课程或实验室有意造成：全部位于同一次运行的库中。</translation>
    </message>
    <message>
        <source>The server&apos;s text has no end: transactions, locks or who was rolled back may be missing.</source>
        <translation>服务器的文本没有结尾：可能缺少事务、锁或被回滚者。</translation>
    </message>
    <message numerus="yes">
        <source>Deadlock of %n transaction(s)</source>
        <translation>
            <numerusform>%n 个事务的死锁</numerusform>
        </translation>
    </message>
    <message>
        <source>How many there were is not known: the server&apos;s counter (innodb_metrics, lock_deadlocks) is off.</source>
        <translation>不知道共有多少次：服务器的计数器（innodb_metrics，lock_deadlocks）已关闭。</translation>
    </message>
    <message>
        <source>%1 not captured: they came between two looks, and the server keeps the text of the latest alone.</source>
        <translation>%1 次未捕获：它们发生在两次查看之间，而服务器只保留最近一次的文本。</translation>
    </message>
    <message>
        <source>%1 not captured before this window looked.</source>
        <translation>此窗口查看之前有 %1 次未捕获。</translation>
    </message>
    <message>
        <source>The server was started anew meanwhile and has forgotten those that are kept here.</source>
        <translation>服务器其间重新启动过，已不再有这里保留的死锁。</translation>
    </message>
    <message>
        <source>%1 older ones had to go for lack of room.</source>
        <translation>因空间不足，已移除 %1 项较早的死锁。</translation>
    </message>
    <message>
        <source>Picture of the deadlock</source>
        <translation>死锁的图</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::DeadlocksPage</name>
    <message>
        <source>Deadlocks</source>
        <translation>死锁</translation>
    </message>
    <message>
        <source>Filter by table, statement or reason</source>
        <translation>按表、语句或原因筛选</translation>
    </message>
    <message>
        <source>Copy dead&amp;lock as text</source>
        <translation>将死锁复制为文本(&amp;L)</translation>
    </message>
    <message>
        <source>Deadloc&amp;k details</source>
        <translation>死锁详情(&amp;K)</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>复制为文本</translation>
    </message>
    <message>
        <source>Copy everything known of the selected deadlock, with the server&apos;s own text (%1)</source>
        <translation>复制所选死锁的全部已知内容，包括服务器的原文（%1）</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Show or hide what is known of the selected deadlock (Enter)</source>
        <translation>显示或隐藏所选死锁的已知内容（Enter）</translation>
    </message>
    <message>
        <source>New deadlocks cannot be read. %1</source>
        <translation>无法读取新的死锁。%1</translation>
    </message>
    <message>
        <source>No deadlock matches</source>
        <translation>没有匹配的死锁</translation>
    </message>
    <message>
        <source>Hidden by the filter: %1.</source>
        <translation>被筛选隐藏：%1。</translation>
    </message>
    <message>
        <source>Clear filter</source>
        <translation>清除筛选</translation>
    </message>
    <message>
        <source>This account may not read deadlocks</source>
        <translation>此账户无权读取死锁</translation>
    </message>
    <message>
        <source>The server shows them to accounts with the privilege PROCESS, which changes nothing and shows all sessions. Somebody who may grant it has to run this; then F5 reads them:</source>
        <translation>服务器只向具有 PROCESS 权限的账户显示死锁；该权限不会更改任何内容，并显示所有会话。请有权授予者运行以下语句，然后按 F5 读取：</translation>
    </message>
    <message>
        <source>Deadlocks cannot be read</source>
        <translation>无法读取死锁</translation>
    </message>
    <message>
        <source>Looking for deadlocks…</source>
        <translation>正在查找死锁…</translation>
    </message>
    <message>
        <source>No deadlock was seen</source>
        <translation>未见死锁</translation>
    </message>
    <message>
        <source>A server ends a deadlock at once, by rolling one of the transactions back. It appears here a second later, with who waited for whom, and stays.</source>
        <translation>服务器会立即通过回滚其中一个事务来结束死锁。一秒后它会出现在这里，显示谁在等待谁，并一直保留。</translation>
    </message>
    <message numerus="yes">
        <source>%n new deadlock(s)</source>
        <translation>
            <numerusform>%n 次新死锁</numerusform>
        </translation>
    </message>
    <message>
        <source>Until this moment none was recorded. What came before the recording is not in it.</source>
        <translation>到这一时刻为止没有录到死锁。录制开始之前的死锁不在其中。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::IncidentReport</name>
    <message>
        <source>Incident: %1</source>
        <translation>事件：%1</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>As of</source>
        <translation>截至</translation>
    </message>
    <message>
        <source>What was blocked</source>
        <translation>什么被阻塞</translation>
    </message>
    <message>
        <source>By whom</source>
        <translation>被谁阻塞</translation>
    </message>
    <message>
        <source>Statements</source>
        <translation>语句</translation>
    </message>
    <message>
        <source>What was done</source>
        <translation>采取的措施</translation>
    </message>
    <message>
        <source>Nobody waits for it.</source>
        <translation>没有人等待它。</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Who</source>
        <translation>谁</translation>
    </message>
    <message>
        <source>Connection</source>
        <translation>连接</translation>
    </message>
    <message>
        <source>Since</source>
        <translation>自</translation>
    </message>
    <message>
        <source>For</source>
        <translation>时长</translation>
    </message>
    <message>
        <source>Nobody holds it any more.</source>
        <translation>已无人持有。</translation>
    </message>
    <message>
        <source>Holder</source>
        <translation>持有者</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Held for</source>
        <translation>已持有</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Fencing token</source>
        <translation>栅栏令牌</translation>
    </message>
    <message>
        <source>Account</source>
        <translation>账号</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>Transaction since</source>
        <translation>事务开始于</translation>
    </message>
    <message>
        <source>Of the holder, connection %1, that took what others wait for:</source>
        <translation>持有者（连接 %1）取得他人所等待之锁的语句：</translation>
    </message>
    <message>
        <source>Of the holder, connection %1, running:</source>
        <translation>持有者（连接 %1）正在执行：</translation>
    </message>
    <message>
        <source>Of the holder, connection %1, the last one:</source>
        <translation>持有者（连接 %1）最后执行：</translation>
    </message>
    <message>
        <source>Of connection %1, which waits:</source>
        <translation>等待中的连接 %1：</translation>
    </message>
    <message>
        <source>Nothing so far.</source>
        <translation>目前没有。</translation>
    </message>
    <message>
        <source>%1 asked for a release, which failed.</source>
        <translation>%1 请求释放，但失败了。</translation>
    </message>
    <message>
        <source>%1 asked for a release; the lock had changed hands, and nothing was done.</source>
        <translation>%1 请求释放；锁已易手，未做任何操作。</translation>
    </message>
    <message>
        <source>%1 released it by force (token %2): %3 It went to %4.</source>
        <translation>%1 强制释放了它（令牌 %2）：%3 它交给了 %4。</translation>
    </message>
    <message>
        <source>%1 released it by force (token %2): %3 It is free.</source>
        <translation>%1 强制释放了它（令牌 %2）：%3 它现在空闲。</translation>
    </message>
    <message>
        <source>%1 ended connection %2 of %3: %4</source>
        <translation>%1 结束了 %3 的连接 %2：%4</translation>
    </message>
    <message numerus="yes">
        <source>%n waited behind it.</source>
        <translation>
            <numerusform>有 %n 个在等待它。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 ended connection %2 of %3, which still undoes its changes: %4</source>
        <translation>%1 结束了 %3 的连接 %2，它仍在回滚更改：%4</translation>
    </message>
    <message>
        <source>%1 asked to end connection %2 of %3, and nothing was done: %4</source>
        <translation>%1 请求结束 %3 的连接 %2，未做任何操作：%4</translation>
    </message>
    <message>
        <source>Its table does not tell who waits for it.</source>
        <translation>其表不显示谁在等待它。</translation>
    </message>
    <message>
        <source>Clock</source>
        <translation>时钟</translation>
    </message>
    <message>
        <source>Not known</source>
        <translation>未知之处</translation>
    </message>
    <message>
        <source>Remark</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>In its row</source>
        <translation>其行中</translation>
    </message>
    <message>
        <source>%1 released it as its program would: %2</source>
        <translation>%1 按其程序的方式释放了它：%2</translation>
    </message>
    <message>
        <source>%1 asked for the release of a row of this name, which was not made.</source>
        <translation>%1 请求释放此名称的某一行，但未执行。</translation>
    </message>
    <message>
        <source>%1 released a row of this name as its program would: %2</source>
        <translation>%1 按其程序的方式释放了此名称的某一行：%2</translation>
    </message>
    <message>
        <source>%1 asked for a release, which was not made.</source>
        <translation>%1 请求释放，但未执行。</translation>
    </message>
    <message>
        <source>Its program keeps nothing on the server that tells who waits.</source>
        <translation>它的程序没有在服务器上保存谁在等待。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LockCopies</name>
    <message>
        <source>&amp;Copy name</source>
        <translation>复制名称(&amp;C)</translation>
    </message>
    <message>
        <source>Copy &amp;as</source>
        <translation>复制为(&amp;A)</translation>
    </message>
    <message>
        <source>Copy &amp;incident report</source>
        <translation>复制事件报告(&amp;I)</translation>
    </message>
    <message>
        <source>Copy the resource&apos;s name (%1)</source>
        <translation>复制资源名称（%1）</translation>
    </message>
    <message>
        <source>What is blocked, by whom, since when, and what was done: Markdown for a ticket</source>
        <translation>什么被阻塞、被谁阻塞、从何时开始、采取了什么措施：供工单使用的 Markdown</translation>
    </message>
    <message>
        <source>&amp;Text</source>
        <translation>文本(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;CSV</source>
        <translation>&amp;CSV</translation>
    </message>
    <message>
        <source>&amp;JSON</source>
        <translation>&amp;JSON</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LockGroupList</name>
    <message>
        <source>No groups</source>
        <translation>不分组</translation>
    </message>
    <message>
        <source>By holder</source>
        <translation>按持有者</translation>
    </message>
    <message>
        <source>By resource</source>
        <translation>按资源</translation>
    </message>
    <message>
        <source>By kind</source>
        <translation>按类型</translation>
    </message>
    <message>
        <source>Groups</source>
        <translation>分组</translation>
    </message>
    <message>
        <source>Count the locks by what they have in common, and look into one of the groups</source>
        <translation>按共同点统计锁，并可查看其中一组</translation>
    </message>
    <message>
        <source>By profile</source>
        <translation>按配置</translation>
    </message>
    <message>
        <source>By server</source>
        <translation>按服务器</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LockGroupModel</name>
    <message>
        <source>Without a name</source>
        <translation>无名称</translation>
    </message>
    <message>
        <source>In no lock table</source>
        <translation>不在锁表中</translation>
    </message>
    <message>
        <source>No holder known</source>
        <translation>持有者未知</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>分组</translation>
    </message>
    <message>
        <source>Locks</source>
        <translation>锁</translation>
    </message>
    <message>
        <source>Wait</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LockModeText</name>
    <message>
        <source>shared</source>
        <translation>共享</translation>
    </message>
    <message>
        <source>exclusive</source>
        <translation>排他</translation>
    </message>
    <message>
        <source>insert into the gap before</source>
        <translation>向之前的间隙插入</translation>
    </message>
    <message>
        <source>gap before</source>
        <translation>之前的间隙</translation>
    </message>
    <message>
        <source>record</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>record and gap before</source>
        <translation>记录和之前的间隙</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::RecordControl</name>
    <message>
        <source>Recordings (*.lockscope)</source>
        <translation>录制 (*.lockscope)</translation>
    </message>
    <message>
        <source>The recording has ended.</source>
        <translation>录制已结束。</translation>
    </message>
    <message>
        <source>The recording is in %1.</source>
        <translation>录制保存在 %1。</translation>
    </message>
    <message>
        <source>Record to a file</source>
        <translation>录制到文件</translation>
    </message>
    <message>
        <source>Open a recording</source>
        <translation>打开录制</translation>
    </message>
    <message>
        <source>Recording to %1 · %2 MB</source>
        <translation>正在录制到 %1 · %2 MB</translation>
    </message>
    <message>
        <source>Nothing is recorded at present</source>
        <translation>目前没有录制</translation>
    </message>
    <message>
        <source>What was kept is in %1 and in the log beside it, which belong together: the end could not be written.</source>
        <translation>已保存的内容在 %1 及其旁边的日志中，两者必须放在一起：结尾没能写入。</translation>
    </message>
    <message>
        <source>Nothing is recorded at present; what was kept stays.</source>
        <translation>目前没有录制任何内容；已保存的内容仍在。</translation>
    </message>
    <message>
        <source>Recording goes on.</source>
        <translation>录制继续进行。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::ReplayBar</name>
    <message>
        <source>%1: deadlock</source>
        <translation>%1：死锁</translation>
    </message>
    <message>
        <source>%1: alarm</source>
        <translation>%1：报警</translation>
    </message>
    <message numerus="yes">
        <source>%1: %n waited, up to %2</source>
        <translation>
            <numerusform>%1：%n 个会话等待，最长 %2</numerusform>
        </translation>
    </message>
    <message>
        <source>RECORDED</source>
        <translation>录制</translation>
    </message>
    <message>
        <source>A moment of a recording: nothing here is live, and nothing can be released or ended</source>
        <translation>录制中的某一时刻：这里没有实时数据，什么也不能释放或结束</translation>
    </message>
    <message>
        <source>Moment of the recording</source>
        <translation>录制的时刻</translation>
    </message>
    <message>
        <source>Move through the time of the recording</source>
        <translation>在录制的时间中移动</translation>
    </message>
    <message>
        <source>Queues, deadlocks and alarms of the recording</source>
        <translation>录制中的队列、死锁和报警</translation>
    </message>
    <message>
        <source>Incidents</source>
        <translation>事件</translation>
    </message>
    <message numerus="yes">
        <source>%n incidents</source>
        <translation>
            <numerusform>%n 个事件</numerusform>
        </translation>
    </message>
    <message>
        <source>nothing was seen then; this is %1 older</source>
        <translation>那时没有数据；这是 %1 之前的</translation>
    </message>
    <message>
        <source>the file is not whole</source>
        <translation>文件不完整</translation>
    </message>
    <message>
        <source>Pre&amp;vious incident</source>
        <translation>上一个事件(&amp;V)</translation>
    </message>
    <message>
        <source>Go back to the incident before (%1)</source>
        <translation>回到前一个事件（%1）</translation>
    </message>
    <message>
        <source>Ne&amp;xt incident</source>
        <translation>下一个事件(&amp;X)</translation>
    </message>
    <message>
        <source>Go on to the next incident (%1)</source>
        <translation>前往下一个事件（%1）</translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n more locks</source>
        <translation>
            <numerusform>%1 和另外 %n 个锁</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n alarms</source>
        <translation>
            <numerusform>%n 次报警</numerusform>
        </translation>
    </message>
    <message>
        <source>Go to, such as 03:12</source>
        <translation>跳转，如 03:12</translation>
    </message>
    <message>
        <source>Go to a time</source>
        <translation>跳转到某一时间</translation>
    </message>
    <message>
        <source>A time of the recording: 03:12, 03:12:30 or 2026-11-26 03:12</source>
        <translation>录制中的时间：03:12、03:12:30 或 2026-11-26 03:12</translation>
    </message>
    <message>
        <source>that is no time: write 03:12 or 2026-11-26 03:12:30</source>
        <translation>这不是时间：请写 03:12 或 2026-11-26 03:12:30</translation>
    </message>
    <message>
        <source>the recording has no such time</source>
        <translation>录制中没有这个时间</translation>
    </message>
    <message>
        <source>the recording begins here</source>
        <translation>录制从此开始</translation>
    </message>
    <message>
        <source>the recording ends here</source>
        <translation>录制到此结束</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::SavedViews</name>
    <message>
        <source>Views</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>Saved views: filter, buttons and order under a name</source>
        <translation>已保存的视图：以一个名称保存筛选、按钮和排序</translation>
    </message>
    <message>
        <source>Save this view…</source>
        <translation>保存此视图…</translation>
    </message>
    <message>
        <source>Remove a view</source>
        <translation>删除视图</translation>
    </message>
    <message>
        <source>Save this view</source>
        <translation>保存此视图</translation>
    </message>
    <message>
        <source>Name of the view. One of the same name is replaced.</source>
        <translation>视图名称。同名视图将被替换。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::EmptyState</name>
    <message>
        <source>Nothing can be shown yet</source>
        <translation>暂时没有可显示的内容</translation>
    </message>
    <message>
        <source>The message says why. Lockscope keeps trying.</source>
        <translation>原因见消息。Lockscope 会继续尝试。</translation>
    </message>
    <message>
        <source>Nothing can be shown</source>
        <translation>没有可显示的内容</translation>
    </message>
    <message>
        <source>The message says why.</source>
        <translation>原因见消息。</translation>
    </message>
    <message>
        <source>Only for MySQL and MariaDB</source>
        <translation>仅适用于 MySQL 和 MariaDB</translation>
    </message>
    <message>
        <source>%1 has locks with owners and queues, which the page Locks shows; what this page is about, it does not tell.</source>
        <translation>%1 有带所有者和队列的锁，见“锁”页面；本页面所涉及的内容，它并不提供。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LockEnding</name>
    <message>
        <source>&amp;Release lock…</source>
        <translation>释放锁(&amp;R)…</translation>
    </message>
    <message numerus="yes">
        <source>&amp;End %n session(s)…</source>
        <translation>
            <numerusform>结束 %n 个会话(&amp;E)…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>End %n session(s)…</source>
        <translation>
            <numerusform>结束 %n 个会话…</numerusform>
        </translation>
    </message>
    <message>
        <source>Release lock…</source>
        <translation>释放锁…</translation>
    </message>
    <message>
        <source>Leases are released here one by one. lockctl release --prefix releases several.</source>
        <translation>租约在此处只能逐个释放。lockctl release --prefix 可释放多个。</translation>
    </message>
    <message>
        <source>This server is open read-only. Start operator mode to release a lock.</source>
        <translation>此服务器以只读方式打开。要释放锁，请启动操作模式。</translation>
    </message>
    <message>
        <source>End the sessions that hold them (Del)</source>
        <translation>结束持有它们的会话（Del）</translation>
    </message>
    <message>
        <source>%1 does not answer.</source>
        <translation>%1 没有响应。</translation>
    </message>
    <message>
        <source>&amp;End session…</source>
        <translation>结束会话(&amp;E)…</translation>
    </message>
    <message>
        <source>&amp;End transaction…</source>
        <translation>结束事务(&amp;E)…</translation>
    </message>
    <message>
        <source>End the session that holds it (Del)</source>
        <translation>结束持有它的会话（Del）</translation>
    </message>
    <message>
        <source>End the prepared transaction that holds it (Del)</source>
        <translation>结束持有它的已 prepare 事务 (Del)</translation>
    </message>
    <message>
        <source>Free it as its program would (Del)</source>
        <translation>按其程序的方式释放它（Del）</translation>
    </message>
    <message>
        <source>End this lease (Del)</source>
        <translation>终止此租约（Del）</translation>
    </message>
    <message>
        <source>Select a lock to release it.</source>
        <translation>选择一个锁以释放。</translation>
    </message>
    <message>
        <source>This is a recording: nothing can be released in it.</source>
        <translation>这是录制：其中不能释放任何锁。</translation>
    </message>
    <message>
        <source>It ends with its session. Open its server in a window to end that.</source>
        <translation>它随其会话结束。请在窗口中打开其服务器来结束该会话。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::TableLockText</name>
    <message>
        <source>looks like %1</source>
        <translation>看似 %1</translation>
    </message>
    <message>
        <source>the server&apos;s</source>
        <translation>服务器的时钟</translation>
    </message>
    <message>
        <source>that of the application&apos;s machine, which may be off</source>
        <translation>应用程序所在机器的时钟，可能不准</translation>
    </message>
    <message>
        <source>Its times depend on the time zone of the application&apos;s connections, which Lockscope has not been told.</source>
        <translation>其时间取决于应用程序连接的时区，而 Lockscope 尚不知道该时区。</translation>
    </message>
    <message>
        <source>Its row does not tell: it is held while a transaction has locked the row, which the server shows once somebody waits for it.</source>
        <translation>该行无法说明：事务锁定该行期间它即被持有，有人等待时服务器才会显示。</translation>
    </message>
    <message>
        <source>Its row has a value that the program does not write: %1.</source>
        <translation>该行中有程序不会写入的值：%1。</translation>
    </message>
    <message>
        <source>Its row says that it is held, and its time is not up.</source>
        <translation>该行表明它被持有，且期限未到。</translation>
    </message>
    <message>
        <source>Its row says that it is free.</source>
        <translation>该行表明它是空闲的。</translation>
    </message>
    <message>
        <source>Its time is up, and its program has not removed the row yet.</source>
        <translation>期限已到，其程序尚未删除该行。</translation>
    </message>
    <message>
        <source>%1 has been held for %2</source>
        <translation>%1 已被持有 %2</translation>
    </message>
    <message>
        <source>%1 is held</source>
        <translation>%1 被持有</translation>
    </message>
    <message>
        <source>The time of %1 was up %2 ago; its row is still there.</source>
        <translation>%1 的期限已于 %2 前到期；其行仍在。</translation>
    </message>
    <message>
        <source>The time of %1 is up; its row is still there.</source>
        <translation>%1 的期限已到；其行仍在。</translation>
    </message>
    <message>
        <source>Whether %1 is held is not known. %2</source>
        <translation>不知道 %1 是否被持有。%2</translation>
    </message>
    <message>
        <source>%1; it has no end.</source>
        <translation>%1；它没有期限。</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1。</translation>
    </message>
    <message>
        <source>%1; it ends in %2.</source>
        <translation>%1；将在 %2 后到期。</translation>
    </message>
    <message>
        <source>%1; its time was up %2 ago.</source>
        <translation>%1；其期限已于 %2 前到期。</translation>
    </message>
    <message>
        <source>It cannot be released here.</source>
        <translation>不能在此处释放它。</translation>
    </message>
    <message>
        <source>It cannot be released here: %1.</source>
        <translation>不能在此处释放它：%1。</translation>
    </message>
    <message>
        <source>It cannot be released here: its table is of the engine %1, which cannot undo a change that hits more than this row.</source>
        <translation>不能在此处释放它：其表使用 %1 引擎，无法撤销波及其他行的更改。</translation>
    </message>
    <message>
        <source>Its row would be held after it, too. Nothing was done.</source>
        <translation>释放后该行仍会是持有状态。未执行任何操作。</translation>
    </message>
    <message>
        <source>Its row is not as it was shown any more. Nothing was done.</source>
        <translation>该行已与显示的不同。未执行任何操作。</translation>
    </message>
    <message>
        <source>%1 rows are as it was shown, and they cannot be told apart. Nothing was done.</source>
        <translation>有 %1 行与显示的相同，无法区分。未执行任何操作。</translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 及另外 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>Of lock tables of other programs not all was read: %1.</source>
        <translation>其他程序的锁表未能全部读取：%1。</translation>
    </message>
    <message>
        <source>Lock tables of other programs cannot be read now. %1</source>
        <translation>现在无法读取其他程序的锁表。%1</translation>
    </message>
    <message>
        <source>The server has %1 tables: lock tables of other programs were looked for in the connection&apos;s own schema alone. Connect to the schema that matters.</source>
        <translation>服务器有 %1 个表：只在连接自己的架构中查找了其他程序的锁表。请连接到您关心的架构。</translation>
    </message>
    <message>
        <source>Too many tables could be lock tables of other programs: there may be more of these. A connection to one schema looks there first.</source>
        <translation>可能是其他程序锁表的表太多：也许还有未找到的。连接到某个架构时会先在其中查找。</translation>
    </message>
    <message>
        <source>%1 (only %2 of its held rows)</source>
        <translation>%1（仅读取其被持有的行中的 %2 行）</translation>
    </message>
    <message>
        <source>Its table is not read now, and this is how it was seen last. %1</source>
        <translation>它的表现在无法读取，显示的是上次看到的状态。%1</translation>
    </message>
    <message>
        <source>A profile of yours is not used: %1.</source>
        <translation>您的一个配置未被使用：%1。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::TableReleaseController</name>
    <message>
        <source>Released %1: its row is gone.</source>
        <translation>已释放 %1：其行已删除。</translation>
    </message>
    <message>
        <source>Released %1: its row says that it is free.</source>
        <translation>已释放 %1：其行表明它是空闲的。</translation>
    </message>
    <message>
        <source>It is not known whether %1 was released. %2</source>
        <translation>不知道 %1 是否已释放。%2</translation>
    </message>
    <message>
        <source>%1 was not released. %2</source>
        <translation>%1 未释放。%2</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::TableProfileText</name>
    <message>
        <source>with the default locker the broker holds the row in a transaction instead</source>
        <translation>使用默认 locker 时，broker 改为在事务中持有该行</translation>
    </message>
    <message>
        <source>the broker stops at its next renewal, and another one takes over</source>
        <translation>该 broker 在下次续期时停止，由另一个接管</translation>
    </message>
    <message>
        <source>its token is random: the table does not tell who the holder is</source>
        <translation>它的令牌是随机的：表中没有说明持有者是谁</translation>
    </message>
    <message>
        <source>the holder is not told</source>
        <translation>不会通知持有者</translation>
    </message>
    <message>
        <source>a session holds it by locking the row in a transaction; end that session, and never remove the row</source>
        <translation>某个会话在事务中锁定该行来持有它；请结束那个会话，切勿删除该行</translation>
    </message>
    <message>
        <source>it has no end: after a crash the row stays; it tells neither since when it is held nor by whom</source>
        <translation>它没有终点：崩溃后该行会留下；它既不说明从何时起被持有，也不说明被谁持有</translation>
    </message>
    <message>
        <source>whether and when others take it over is for the program to say</source>
        <translation>其他人是否以及何时接管它，由程序决定</translation>
    </message>
    <message>
        <source>after how long others take it over is for the program to say</source>
        <translation>其他人多久之后接管它，由程序决定</translation>
    </message>
    <message>
        <source>it has no end: after a crash the row stays</source>
        <translation>它没有终点：崩溃后该行会留下</translation>
    </message>
    <message>
        <source>if the task still runs, it is run a second time</source>
        <translation>如果任务仍在运行，它会再运行一次</translation>
    </message>
    <message>
        <source>if the job still runs, it is run a second time</source>
        <translation>如果作业仍在运行，它会再运行一次</translation>
    </message>
    <message>
        <source>its time is the setting DB_MUTEX_TTL_SECONDS, taken for 1800 s here</source>
        <translation>它的时长是设置 DB_MUTEX_TTL_SECONDS，这里按 1800 秒计</translation>
    </message>
    <message>
        <source>the holder finds at its end that its lock has timed out</source>
        <translation>持有者在结束时发现它的锁已超时</translation>
    </message>
    <message>
        <source>see first that no migration runs; one that does ends with an error</source>
        <translation>请先确认没有迁移在运行；正在运行的会以错误结束</translation>
    </message>
    <message>
        <source>since is when a server last began the task; others may not for its interval, 10 minutes to 12 hours, taken for 10 minutes here</source>
        <translation>起始时间是某个服务器上次开始该任务的时刻；在任务间隔内（10 分钟到 12 小时，这里按 10 分钟计）其他服务器不得开始</translation>
    </message>
    <message>
        <source>another server may begin the task at once, also while it still runs</source>
        <translation>另一个服务器可能立即开始该任务，即使它仍在运行</translation>
    </message>
    <message>
        <source>whoever asks takes it for free when it is older than the time that they would wait</source>
        <translation>当它比请求者愿意等待的时间更旧时，请求者就视它为空闲</translation>
    </message>
    <message>
        <source>the table tells neither since when nor by whom; until a migration changes a table, its transaction holds it</source>
        <translation>表中既不说明从何时起，也不说明被谁持有；在迁移更改某个表之前，由其事务持有</translation>
    </message>
    <message>
        <source>see first that no migration runs: two at once can break the schema</source>
        <translation>请先确认没有迁移在运行：两个同时运行可能破坏 schema</translation>
    </message>
    <message>
        <source>lock is -1 where somebody writes, else how many read; the key is a hash of the file&apos;s path</source>
        <translation>有人写入时 lock 为 -1，否则是读取者的数量；键是文件路径的哈希</translation>
    </message>
    <message>
        <source>whoever still works on the file can be disturbed by the next one</source>
        <translation>仍在处理该文件的人可能受到下一个人的干扰</translation>
    </message>
    <message>
        <source>the nodes elect a leader anew, as after its own command to re-elect</source>
        <translation>各节点重新选举 leader，如同执行它自己的重新选举命令之后</translation>
    </message>
    <message>
        <source>its servers&apos; tasks; locks of rows are in lock_table, and only Seata may end these</source>
        <translation>这是其服务器的任务；行锁在 lock_table 中，只有 Seata 可以结束它们</translation>
    </message>
    <message>
        <source>if the server of the holder still runs its task, another one runs it too</source>
        <translation>如果持有者的服务器仍在运行其任务，另一个服务器也会运行它</translation>
    </message>
    <message>
        <source>the job may be over: a lock is kept for its lockAtLeastFor</source>
        <translation>作业可能已经结束：锁会保留到其 lockAtLeastFor 期满</translation>
    </message>
    <message>
        <source>if its job still runs, it runs on, and the next one may begin beside it</source>
        <translation>如果其作业仍在运行，它会继续运行，下一个作业可能与它同时开始</translation>
    </message>
    <message>
        <source>value tells how many permits are left; the jobs that have the others are not told here</source>
        <translation>value 说明还剩多少许可；持有其余许可的作业这里不说明</translation>
    </message>
    <message>
        <source>one more job than allowed may run until those that hold permits have ended</source>
        <translation>在持有许可的作业结束之前，可能比允许的多运行一个作业</translation>
    </message>
    <message>
        <source>without EXPIRED_AFTER its time is the client&apos;s setting, taken for 10 s here</source>
        <translation>没有 EXPIRED_AFTER 时，它的时长是客户端的设置，这里按 10 秒计</translation>
    </message>
    <message>
        <source>the holder&apos;s unlock throws an exception when it finds its row gone</source>
        <translation>持有者解锁时发现该行已不在，会抛出异常</translation>
    </message>
    <message>
        <source>the holder learns of it at its next refresh</source>
        <translation>持有者在下次刷新时得知</translation>
    </message>
    <message>
        <source>the holder is a worker&apos;s token</source>
        <translation>持有者是一个工作进程的令牌</translation>
    </message>
    <message>
        <source>the queue would take its job for stalled and run it again beside the one that runs</source>
        <translation>队列会认为它的任务已停滞，并在正在运行的任务之外再运行一次</translation>
    </message>
    <message>
        <source>another process becomes the leader; the one that leads learns of it from ZooKeeper</source>
        <translation>另一个进程将成为领导者；现在的领导者会从 ZooKeeper 得知</translation>
    </message>
    <message>
        <source>the one that leads is registered in another node too, so the next could not take over: restart the one that leads, or have Solr move its leaders (REBALANCELEADERS)</source>
        <translation>领导者还登记在另一个节点中，下一个无法接手：请重启领导者，或让 Solr 自行迁移领导者（REBALANCELEADERS）</translation>
    </message>
    <message>
        <source>its holder is not told: it works on, and so may two</source>
        <translation>不会通知它的持有者：它会继续工作，因此可能有两个同时工作</translation>
    </message>
    <message>
        <source>several may hold it; the last ones may still wait</source>
        <translation>可由多个持有；最后的几个可能仍在等待</translation>
    </message>
    <message>
        <source>its holder is not told: it works on</source>
        <translation>不会通知它的持有者：它会继续工作</translation>
    </message>
    <message>
        <source>who leads is in bytes of Hadoop&apos;s own</source>
        <translation>谁是领导者写在 Hadoop 自己的字节格式中</translation>
    </message>
    <message>
        <source>who leads is in bytes of HBase&apos;s own</source>
        <translation>谁是领导者写在 HBase 自己的字节格式中</translation>
    </message>
    <message>
        <source>the holder is a broker&apos;s number</source>
        <translation>持有者是一个 broker 的编号</translation>
    </message>
    <message>
        <source>without an end it is kept until somebody gives it back</source>
        <translation>没有期限时，它会一直保持到有人归还</translation>
    </message>
    <message>
        <source>another process becomes the leader; the one that leads learns of it from etcd</source>
        <translation>另一个进程将成为领导者；现在的领导者会从 etcd 得知</translation>
    </message>
    <message>
        <source>only its name says so</source>
        <translation>只有它的名称这样说</translation>
    </message>
    <message>
        <source>the token is a UUID of the moment and the network card of its holder</source>
        <translation>令牌是由持有者的时刻和网卡生成的 UUID</translation>
    </message>
    <message>
        <source>its holder is not told: it works on, and gets an error when it gives back the lock</source>
        <translation>不会通知它的持有者：它会继续工作，在归还锁时得到错误</translation>
    </message>
    <message>
        <source>its holder is not told: it works on, and gets an error when it extends or gives back the lock</source>
        <translation>不会通知它的持有者：它会继续工作，在续期或归还锁时得到错误</translation>
    </message>
    <message>
        <source>several may hold it; since is their last refresh</source>
        <translation>可由多个持有；开始时间是它们上次刷新的时间</translation>
    </message>
    <message>
        <source>its holder is told by an error at its next refresh</source>
        <translation>它的持有者在下次刷新时会从错误得知</translation>
    </message>
    <message>
        <source>the holder is a client and its thread; one that writes ends with :write</source>
        <translation>持有者是一个客户端及其线程；写者以 :write 结尾</translation>
    </message>
    <message>
        <source>its holder is not told: it works on, and learns of it when it unlocks</source>
        <translation>不会通知它的持有者：它会继续工作，在解锁时得知</translation>
    </message>
    <message>
        <source>the holder is a client and its thread</source>
        <translation>持有者是一个客户端及其线程</translation>
    </message>
    <message>
        <source>it may stand on other servers too: most of them decide</source>
        <translation>它也可能在其他服务器上：由其中多数决定</translation>
    </message>
    <message>
        <source>its holder is not told; where several servers keep the lock, it is only free when most of them are released</source>
        <translation>不会通知它的持有者；若锁由多台服务器保存，只有多数被释放后它才空闲</translation>
    </message>
    <message>
        <source>the holder is a job</source>
        <translation>持有者是一个任务</translation>
    </message>
    <message>
        <source>the holder is a registry, one in each process</source>
        <translation>持有者是一个注册表，每个进程一个</translation>
    </message>
    <message>
        <source>its holder is not told, and gets an exception when it unlocks</source>
        <translation>不会通知它的持有者，它在解锁时得到异常</translation>
    </message>
    <message>
        <source>its holder is not told: it works on, and gets an exception when it refreshes the lock</source>
        <translation>不会通知它的持有者：它会继续工作，在刷新锁时得到异常</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::TableReleaseDialog</name>
    <message>
        <source>%1.</source>
        <comment>a warning</comment>
        <translation>%1。</translation>
    </message>
    <message>
        <source>Its row is not as it was shown any more.</source>
        <translation>该行已与显示的不同。</translation>
    </message>
    <message>
        <source>Confirm first that it is %1&apos;s table.</source>
        <translation>请先确认它是 %1 的表。</translation>
    </message>
    <message>
        <source>The server has not answered yet whether it can be released.</source>
        <translation>服务器尚未答复它能否释放。</translation>
    </message>
    <message>
        <source>Give a reason first.</source>
        <translation>请先填写原因。</translation>
    </message>
    <message>
        <source>Nothing was done.</source>
        <translation>未执行任何操作。</translation>
    </message>
    <message>
        <source>It is not held any more.</source>
        <translation>它已不再被持有。</translation>
    </message>
    <message>
        <source>It is not known whether it was released, and its row is not as it was shown any more.</source>
        <translation>无法确定它是否已被释放，而且该行已与显示的不同。</translation>
    </message>
    <message>
        <source>It is not known whether it was released: the connection was lost while it was committed. Its row will tell.</source>
        <translation>无法确定它是否已被释放：提交时连接中断。该行之后的状态会说明结果。</translation>
    </message>
    <message>
        <source>The Waits page shows the session that is in the way, while somebody waits for it.</source>
        <translation>只要有人在等待，“等待”页面就会显示挡路的会话。</translation>
    </message>
    <message>
        <source>It is &amp;%1&apos;s table</source>
        <translation>它是 %1 的表(&amp;T)</translation>
    </message>
    <message>
        <source>Release lock</source>
        <translation>释放锁</translation>
    </message>
    <message>
        <source>Required; kept with your name in the record of this machine</source>
        <translation>必填；与您的名字一起保存在本机的记录中</translation>
    </message>
    <message>
        <source>Look at it as it is now</source>
        <translation>查看它现在的样子</translation>
    </message>
    <message>
        <source>Its columns are those of a lock table of %1, but its name is not: it may be any other program&apos;s.</source>
        <translation>它的列与 %1 的锁表相同，但名称不同：它可能是任何其他程序的表。</translation>
    </message>
    <message>
        <source>Release %1 on %2?</source>
        <translation>释放 %2 上的 %1？</translation>
    </message>
    <message>
        <source>Releasing…</source>
        <translation>正在释放…</translation>
    </message>
    <message>
        <source>Release %1</source>
        <translation>释放 %1</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>It is not held any more. Nothing was done.</source>
        <translation>它已不再被持有。未执行任何操作。</translation>
    </message>
    <message>
        <source>Its row is not as it was shown any more. Nothing was done.</source>
        <translation>该行已与显示的不同。未执行任何操作。</translation>
    </message>
    <message>
        <source>It cannot be released here: %1.</source>
        <translation>不能在此处释放它：%1。</translation>
    </message>
    <message>
        <source>Operator mode has ended: this server is read-only again.</source>
        <translation>操作模式已结束：此服务器恢复为只读。</translation>
    </message>
    <message>
        <source>This is exactly what is sent.</source>
        <translation>将原样发送以下内容。</translation>
    </message>
    <message>
        <source>It is committed only if it changed exactly one row, and that is not held after it.</source>
        <translation>只有恰好更改了一行且该行此后不再被持有时才会提交。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::ZoneBar</name>
    <message>
        <source>Use</source>
        <translation>使用</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>暂不</translation>
    </message>
    <message>
        <source>Time zone</source>
        <translation>时区</translation>
    </message>
    <message>
        <source>Europe/Berlin, +02:00</source>
        <translation>Europe/Berlin、+02:00</translation>
    </message>
    <message>
        <source>Its times stay unknown; you are asked again by the next window</source>
        <translation>其时间仍未知；下一个窗口会再次询问</translation>
    </message>
    <message>
        <source>In which time zone are %1&apos;s connections to the database? Its table does not say, and without it Lockscope cannot tell since when its locks are held, or until when.</source>
        <translation>%1 与数据库的连接使用哪个时区？其表没有说明，而不知道时区，Lockscope 就无法得知其锁从何时起、到何时止被持有。</translation>
    </message>
    <message>
        <source>The time zone could not be kept: the settings cannot be written.</source>
        <translation>无法保存时区：设置不可写入。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::KeyLockText</name>
    <message>
        <source>%1.</source>
        <comment>a sentence</comment>
        <translation>%1。</translation>
    </message>
    <message>
        <source>the server&apos;s</source>
        <translation>服务器的时钟</translation>
    </message>
    <message>
        <source>that of the holder&apos;s machine, which may be off</source>
        <translation>持有者机器的时钟，可能不准</translation>
    </message>
    <message>
        <source>end: %1</source>
        <translation>结束：%1</translation>
    </message>
    <message>
        <source>since: %1</source>
        <translation>开始：%1</translation>
    </message>
    <message>
        <source>it ends with its session</source>
        <translation>它随其会话结束</translation>
    </message>
    <message>
        <source>it has no end</source>
        <translation>它没有期限</translation>
    </message>
    <message>
        <source>it ends in %1</source>
        <translation>它在 %1 后结束</translation>
    </message>
    <message>
        <source>its time was up %1 ago</source>
        <translation>它在 %1 前到期</translation>
    </message>
    <message>
        <source>; </source>
        <comment>between the parts of a sentence</comment>
        <translation>；</translation>
    </message>
    <message>
        <source>It is only guessed that this is a lock: a convention of yours can say what it is.</source>
        <translation>这只是被猜测为锁：您自己的约定可以说明它是什么。</translation>
    </message>
    <message>
        <source>Its program keeps nothing on the server that tells who waits.</source>
        <translation>它的程序没有在服务器上保存谁在等待。</translation>
    </message>
    <message>
        <source>other programs&apos; keys: first look goes on</source>
        <translation>其他程序的键：首次查看进行中</translation>
    </message>
    <message>
        <source>other programs&apos; keys: not seen</source>
        <translation>其他程序的键：未能查看</translation>
    </message>
    <message>
        <source>other programs&apos; keys: seen %1 ago</source>
        <translation>其他程序的键：%1 前查看</translation>
    </message>
    <message>
        <source>Other programs&apos; keys were not read: %1</source>
        <translation>未能读取其他程序的键：%1</translation>
    </message>
    <message>
        <source>A convention of yours is wrong: %1.</source>
        <translation>您的一个约定有误：%1。</translation>
    </message>
    <message>
        <source>Of other programs&apos; keys only a part is listed: there are more than one look goes for.</source>
        <translation>其他程序的键只列出了一部分：数量超出了一次查看的上限。</translation>
    </message>
    <message numerus="yes">
        <source>%n keys or folders may not be read by this account, and may be or have locks.</source>
        <translation>
            <numerusform>有 %n 个键或目录此账户无权读取，其中可能有锁。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n more have held %2 for %3</source>
        <translation>
            <numerusform>%1 及另外 %n 个持有 %2 已有 %3</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n more hold %2</source>
        <translation>
            <numerusform>%1 及另外 %n 个持有 %2</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::KeyReleaseController</name>
    <message>
        <source>Released %1.</source>
        <translation>已释放 %1。</translation>
    </message>
    <message>
        <source>Who holds it now cannot be read.</source>
        <translation>无法读取现在由谁持有。</translation>
    </message>
    <message>
        <source>%1 holds it now.</source>
        <translation>现在由 %1 持有。</translation>
    </message>
    <message>
        <source>It is free.</source>
        <translation>它已空闲。</translation>
    </message>
    <message>
        <source>It is not known whether %1 was released. %2</source>
        <translation>不知道 %1 是否已释放。%2</translation>
    </message>
    <message>
        <source>%1 was not released. %2</source>
        <translation>%1 未释放。%2</translation>
    </message>
    <message>
        <source>%1 has changed since it was shown. Nothing was done.</source>
        <translation>%1 自显示以来已改变。未执行任何操作。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::KeyReleaseDialog</name>
    <message>
        <source>Another process is to become the &amp;leader</source>
        <translation>让另一个进程成为领导者(&amp;L)</translation>
    </message>
    <message>
        <source>Release lock</source>
        <translation>释放锁</translation>
    </message>
    <message>
        <source>Required; kept with your name in the record of this machine</source>
        <translation>必填；与您的名字一起保存在本机的记录中</translation>
    </message>
    <message>
        <source>Look at it as it is now</source>
        <translation>查看它现在的样子</translation>
    </message>
    <message>
        <source>Whose hold is ended</source>
        <translation>结束谁的持有</translation>
    </message>
    <message>
        <source>Releasing…</source>
        <translation>正在释放…</translation>
    </message>
    <message>
        <source>The server has not answered yet whether it is still held.</source>
        <translation>服务器尚未回答它是否仍被持有。</translation>
    </message>
    <message>
        <source>It is not as it was shown any more.</source>
        <translation>它已不是显示时的样子。</translation>
    </message>
    <message>
        <source>Operator mode has ended: this server is read-only again.</source>
        <translation>操作模式已结束：此服务器恢复为只读。</translation>
    </message>
    <message>
        <source>Whoever holds it leads. Confirm first that another process is to become the leader.</source>
        <translation>持有它的就是领导者。请先确认要让另一个进程成为领导者。</translation>
    </message>
    <message>
        <source>Give a reason first.</source>
        <translation>请先填写原因。</translation>
    </message>
    <message>
        <source>Release %1 on %2?</source>
        <translation>释放 %2 上的 %1？</translation>
    </message>
    <message>
        <source>Release %1</source>
        <translation>释放 %1</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>whoever takes it next</source>
        <translation>下一个取得它的程序</translation>
    </message>
    <message>
        <source>Until it notices, %1 and %2 may both work.</source>
        <translation>在 %1 察觉之前，它和 %2 可能同时工作。</translation>
    </message>
    <message>
        <source>ZooKeeper has no removal by czxid: a node of this name that is made anew within about a round trip of the look would go in its place.</source>
        <translation>ZooKeeper 不能按 czxid 删除：若在查看后约一次网络往返的时间内有人重新创建了同名节点，被删除的将是那个新节点。</translation>
    </message>
    <message>
        <source>Who comes next is not told: its program keeps nothing on the server that says who waits.</source>
        <translation>不知道下一个是谁：它的程序没有在服务器上保存谁在等待。</translation>
    </message>
    <message>
        <source>Nobody waits: it becomes free.</source>
        <translation>没有人等待：它将变为空闲。</translation>
    </message>
    <message numerus="yes">
        <source>%n in its queue are woken as its program would.</source>
        <translation>
            <numerusform>其队列中有 %n 个，会像它的程序那样被唤醒。</numerusform>
        </translation>
    </message>
    <message>
        <source>Next: %1.</source>
        <translation>下一个：%1。</translation>
    </message>
    <message numerus="yes">
        <source>%n more wait.</source>
        <translation>
            <numerusform>还有 %n 个在等待。</numerusform>
        </translation>
    </message>
    <message>
        <source>It is not held any more. Nothing was done.</source>
        <translation>它已不再被持有。未执行任何操作。</translation>
    </message>
    <message>
        <source>This hold of %1 has ended; others hold it now. Nothing was done.</source>
        <translation>%1 的这次持有已结束；现在由其他持有者持有。未执行任何操作。</translation>
    </message>
    <message>
        <source>%1 has taken it anew, once more, or prolonged it: what is kept there has changed since it was shown. Nothing was done.</source>
        <translation>%1 已重新取得、再次取得或延长了它：自显示以来，那里保存的内容已改变。未执行任何操作。</translation>
    </message>
    <message>
        <source>It changed hands: %1 holds it now. Nothing was done.</source>
        <translation>它已易手：现在由 %1 持有。未做任何操作。</translation>
    </message>
    <message>
        <source>It is not known whether it was released: the next look will tell.</source>
        <translation>不知道它是否已释放：下一次查看会说明。</translation>
    </message>
    <message>
        <source>Nothing was done.</source>
        <translation>未执行任何操作。</translation>
    </message>
    <message>
        <source>The node is read, compared with what is shown, and deleted by its name.</source>
        <translation>读取该节点，与所显示的内容比较，然后按名称删除。</translation>
    </message>
</context>
</TS>
