<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_US">
<context>
    <name>lockscope::ui::LaneWords</name>
    <message numerus="yes">
        <source>%1 got %2 after %3 and %n conflict(s)</source>
        <translation>
            <numerusform>%1 got %2 after %3 and %n conflict</numerusform>
            <numerusform>%1 got %2 after %3 and %n conflicts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Its write wrote over %n change(s) of others.</source>
        <translation>
            <numerusform>Its write wrote over %n change of others.</numerusform>
            <numerusform>Its write wrote over %n changes of others.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 held %n time(s) in these %2.</source>
        <translation>
            <numerusform>%1 held once in these %2.</numerusform>
            <numerusform>%1 held %n times in these %2.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LatencyPage</name>
    <message numerus="yes">
        <source>%n measurement(s) could not be read: damaged, or written by a newer version.</source>
        <translation>
            <numerusform>%n measurement could not be read: damaged, or written by a newer version.</numerusform>
            <numerusform>%n measurements could not be read: damaged, or written by a newer version.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LatencySummary</name>
    <message numerus="yes">
        <source>Sampled every %n s from the server&apos;s counters while this page is open. They tell neither percentiles nor who waited, count a wait below 1 ms as none, and contain those of pessimistic mode.</source>
        <translation>
            <numerusform>Sampled every %n s from the server&apos;s counters while this page is open. They tell neither percentiles nor who waited, count a wait below 1 ms as none, and contain those of pessimistic mode.</numerusform>
            <numerusform>Sampled every %n s from the server&apos;s counters while this page is open. They tell neither percentiles nor who waited, count a wait below 1 ms as none, and contain those of pessimistic mode.</numerusform>
        </translation>
    </message>
</context>
</TS>
