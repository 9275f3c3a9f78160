{{/* What every pod has. Call it with a dict of root, role (api, worker, migration) and resources. */}}
{{- define "landfall.podSpec" -}}
{{- $root := .root }}
{{- $values := $root.Values }}
{{- $secret := required "existingSecret is needed: the name of a Secret with the keys DATABASE_URL and LANDFALL_SECRET." $values.existingSecret }}
{{- with $values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
automountServiceAccountToken: false
# Kubernetes would set LANDFALL_PORT and others by the name of the service, which are settings, or none.
enableServiceLinks: false
{{- with $values.serviceAccountName }}
serviceAccountName: {{ . }}
{{- end }}
terminationGracePeriodSeconds: {{ $values.terminationGracePeriodSeconds }}
securityContext:
  {{- toYaml $values.podSecurityContext | nindent 2 }}
{{- with $values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- if ne .role "migration" }}
{{- with $values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.topologySpreadConstraints }}
topologySpreadConstraints:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- if eq .role "migration" }}
restartPolicy: Never
{{- end }}
containers:
  - name: {{ .role }}
    image: "{{ $values.image.repository }}:{{ $values.image.tag | default $root.Chart.AppVersion }}"
    imagePullPolicy: {{ $values.image.pullPolicy }}
    {{- if eq .role "migration" }}
    args: [database, migrate]
    {{- else }}
    args: [start]
    {{- end }}
    securityContext:
      {{- toYaml $values.containerSecurityContext | nindent 6 }}
    resources:
      {{- toYaml .resources | nindent 6 }}
    env:
      - name: DATABASE_URL
        valueFrom: { secretKeyRef: { name: {{ $secret }}, key: DATABASE_URL } }
      - name: LANDFALL_SECRET
        valueFrom: { secretKeyRef: { name: {{ $secret }}, key: LANDFALL_SECRET } }
      - name: LANDFALL_DATA
        value: /var/lib/landfall
      {{- if eq .role "migration" }}
      {{- with $values.migration.existingSecret }}
      - name: LANDFALL_MIGRATION_DATABASE_URL
        valueFrom: { secretKeyRef: { name: {{ . }}, key: LANDFALL_MIGRATION_DATABASE_URL } }
      {{- end }}
      {{- else }}
      - name: LANDFALL_ROLE
        value: {{ .role }}
      - name: LANDFALL_HOST
        value: 0.0.0.0
      - name: LANDFALL_PORT
        value: "3000"
      # MCP is served at /mcp of the API.
      - name: LANDFALL_MCP_PORT
        value: "0"
      - name: LANDFALL_METRICS_PORT
        value: "9090"
      {{- with $values.metrics.existingSecret }}
      - name: LANDFALL_METRICS_TOKEN
        valueFrom: { secretKeyRef: { name: {{ . }}, key: LANDFALL_METRICS_TOKEN } }
      {{- end }}
      {{- with include "landfall.publicUrl" $root }}
      - name: LANDFALL_PUBLIC_URL
        value: {{ . | quote }}
      {{- end }}
      {{- end }}
      {{- range $name, $value := $values.settings }}
      - name: {{ $name }}
        value: {{ $value | quote }}
      {{- end }}
      {{- range $name, $from := $values.secretSettings }}
      - name: {{ $name }}
        valueFrom: { secretKeyRef: { name: {{ $from.name }}, key: {{ $from.key }} } }
      {{- end }}
    {{- if ne .role "migration" }}
    ports:
      {{- if eq .role "api" }}
      - { name: http, containerPort: 3000 }
      {{- end }}
      - { name: operations, containerPort: 9090 }
    # A start may bring the database to a new schema first.
    startupProbe:
      httpGet: { path: /healthz, port: operations }
      periodSeconds: 5
      failureThreshold: 120
    livenessProbe:
      httpGet: { path: /healthz, port: operations }
      periodSeconds: 10
      timeoutSeconds: 5
      failureThreshold: 6
    readinessProbe:
      httpGet: { path: /readyz, port: {{ eq .role "api" | ternary "http" "operations" }} }
      periodSeconds: 5
      timeoutSeconds: 5
    {{- if eq .role "api" }}
    lifecycle:
      # Until the ingress knows that this pod ends.
      preStop: { exec: { command: [sleep, "5"] } }
    {{- end }}
    {{- end }}
    volumeMounts:
      - { name: data, mountPath: /var/lib/landfall }
      - { name: cache, mountPath: /var/cache/landfall }
      - { name: tmp, mountPath: /tmp }
      {{- if and $values.carriers.existingSecret (ne .role "migration") }}
      - { name: carriers, mountPath: /var/lib/landfall/carriers.json, subPath: carriers.json, readOnly: true }
      {{- end }}
volumes:
  - name: data
    {{- if and $values.persistence.existingClaim (ne .role "migration") }}
    persistentVolumeClaim: { claimName: {{ $values.persistence.existingClaim }} }
    {{- else }}
    emptyDir: {}
    {{- end }}
  - { name: cache, emptyDir: {} }
  - { name: tmp, emptyDir: {} }
  {{- if and $values.carriers.existingSecret (ne .role "migration") }}
  - name: carriers
    secret: { secretName: {{ $values.carriers.existingSecret }} }
  {{- end }}
{{- end }}

{{/* A Deployment and its PodDisruptionBudget. Call it with a dict of root and role (api, worker). */}}
{{- define "landfall.deployment" -}}
{{- $root := .root }}
{{- $values := $root.Values }}
{{- $of := index $values .role }}
{{- if and (not $values.persistence.existingClaim) (not $values.persistence.ephemeral) (ne (index $values.settings "LANDFALL_FILES" | default "") "s3") }}
{{- fail "Where do documents go? Set LANDFALL_FILES: s3 in settings, or persistence.existingClaim; persistence.ephemeral: true only tries the chart." }}
{{- end }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "landfall.name" $root }}-{{ .role }}
  labels:
    {{- include "landfall.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ .role }}
spec:
  replicas: {{ $of.replicas }}
  selector:
    matchLabels:
      {{- include "landfall.selector" $root | nindent 6 }}
      app.kubernetes.io/component: {{ .role }}
  template:
    metadata:
      labels:
        {{- include "landfall.labels" $root | nindent 8 }}
        app.kubernetes.io/component: {{ .role }}
        {{- with $values.podLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- with $values.podAnnotations }}
      annotations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      {{- include "landfall.podSpec" (dict "root" $root "role" .role "resources" $of.resources) | nindent 6 }}
{{- if $of.podDisruptionBudget.enabled }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "landfall.name" $root }}-{{ .role }}
  labels:
    {{- include "landfall.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ .role }}
spec:
  maxUnavailable: {{ $of.podDisruptionBudget.maxUnavailable }}
  selector:
    matchLabels:
      {{- include "landfall.selector" $root | nindent 6 }}
      app.kubernetes.io/component: {{ .role }}
{{- end }}
{{- end }}
