@profile:kep @profile:since-1.35
Feature: Quota usage of ended pods, claims being deleted and missing DeviceClasses
  A ResourceClaim counts by its requests as long as the claim exists. Devices of an extended-resource claim that its
  pod already counts are not counted again.

  Background:
    Given a DeviceClass "mygpuclass" for extended resource "example.com/gpu"

  @case:finished-pod-claim-counts
  @KEP-5004/quota/explicit-counts-resource-claims @KEP-5004/quota/class-counts-special-claims
  Scenario: An extended-resource claim still counts in quotas after its pod has finished
    Given the object
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: done, namespace: default, uid: 3a8ff6f1-36f8-4f0b-8d63-0d5a1f3f5004}
      spec:
        nodeName: node-1
        containers:
          - name: main
            image: registry.k8s.io/pause:3.10
            resources: {limits: {example.com/gpu: 2}, requests: {example.com/gpu: 2}}
      status:
        phase: Succeeded
        extendedResourceClaimStatus:
          resourceClaimName: s
          requestMappings: [{containerName: main, resourceName: example.com/gpu, requestName: container-0-request-0}]
      """
    And the object
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata:
        name: s
        namespace: default
        annotations: {resource.kubernetes.io/extended-resource-claim: 'true'}
        ownerReferences:
          - {apiVersion: v1, kind: Pod, name: done, uid: 3a8ff6f1-36f8-4f0b-8d63-0d5a1f3f5004, controller: true}
      spec:
        devices:
          requests:
            - name: container-0-request-0
              exactly: {deviceClassName: mygpuclass, allocationMode: ExactCount, count: 2}
      """
    When the quota usage of namespace "default" is computed
    Then the namespace uses 2 of "requests.example.com/gpu"
    And the namespace uses 2 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
    And the namespace uses 2 of "mygpuclass.deviceclass.resource.k8s.io/devices"

  @case:ended-pod-does-not-count
  @KEP-5004/quota/ended-pod
  Scenario Outline: A pod that has succeeded or failed does not count in a quota of extended resources
    Given the objects
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: ended, namespace: default}
      spec:
        nodeName: node-1
        containers:
          - name: main
            image: registry.k8s.io/pause:3.10
            resources: {limits: {example.com/gpu: 2}, requests: {example.com/gpu: 2}}
      status: {phase: <phase>}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: running, namespace: default}
      spec:
        nodeName: node-1
        containers:
          - name: main
            image: registry.k8s.io/pause:3.10
            resources: {limits: {example.com/gpu: 1}, requests: {example.com/gpu: 1}}
      status: {phase: Running}
      """
    When the quota usage of namespace "default" is computed
    Then the namespace uses 1 of "requests.example.com/gpu"

    Examples:
      | phase     |
      | Succeeded |
      | Failed    |

  @case:claim-of-deleted-pod-counts
  @KEP-5004/quota/explicit-counts-resource-claims @KEP-5004/quota/class-counts-special-claims
  Scenario: An extended-resource claim counts in quotas after its pod is deleted, as long as it exists
    Given the object
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata:
        name: s
        namespace: default
        annotations: {resource.kubernetes.io/extended-resource-claim: 'true'}
        ownerReferences:
          - {apiVersion: v1, kind: Pod, name: gone, uid: 3a8ff6f1-36f8-4f0b-8d63-0d5a1f3f5005, controller: true}
      spec:
        devices:
          requests:
            - name: container-0-request-0
              exactly: {deviceClassName: mygpuclass, allocationMode: ExactCount, count: 2}
      """
    When the quota usage of namespace "default" is computed
    Then the namespace uses 2 of "requests.example.com/gpu"
    And the namespace uses 2 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
    And the namespace uses 2 of "mygpuclass.deviceclass.resource.k8s.io/devices"

  @case:same-pod-name-in-two-namespaces
  @KEP-5004/quota/no-double-count @KEP-5004/quota/per-namespace
  Scenario Outline: Pods with the same name in two namespaces each count once with their own claim
    Given a pod "p" that requests 2 of "example.com/gpu"
    And a ResourceClaim "s" requesting 2 devices of class "mygpuclass"
    And ResourceClaim "s" is the extended-resource claim of pod "p"
    And a pod "team-a/p" that requests 2 of "example.com/gpu"
    And a ResourceClaim "team-a/s" requesting 2 devices of class "mygpuclass"
    And ResourceClaim "team-a/s" is the extended-resource claim of pod "team-a/p"
    When the quota usage of namespace "<namespace>" is computed
    Then the namespace uses 2 of "requests.example.com/gpu"
    And the namespace uses 2 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
    And the namespace uses 2 of "mygpuclass.deviceclass.resource.k8s.io/devices"

    Examples:
      | namespace |
      | default   |
      | team-a    |

  @case:claim-being-deleted-counts
  @KEP-5004/quota/explicit-counts-resource-claims
  @KEP-5004/quota/implicit-counts-claims-and-explicit-dra
  Scenario: A ResourceClaim that is being deleted counts in quotas until it no longer exists
    Given the object
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata:
        name: leaving
        namespace: default
        deletionTimestamp: "2026-01-01T00:00:00Z"
        finalizers: [resource.kubernetes.io/delete-protection]
      spec:
        devices:
          requests: [{name: r0, exactly: {deviceClassName: mygpuclass, allocationMode: ExactCount, count: 2}}]
      """
    When the quota usage of namespace "default" is computed
    Then the namespace uses 2 of "requests.example.com/gpu"
    And the namespace uses 2 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
    And the namespace uses 2 of "mygpuclass.deviceclass.resource.k8s.io/devices"
    And the namespace uses 1 of "count/resourceclaims.resource.k8s.io"

  @case:sidecar-and-container-add-up
  @KEP-5004/quota/several-containers @KEP-5004/quota/pending-pod
  Scenario: Requests of a sidecar and a container add up in quotas before their claim exists
    Given a pod "p" with the containers
      | container | kind    | request example.com/gpu | limit example.com/gpu |
      | beside    | sidecar | 2                       | 2                     |
      | main      | app     | 3                       | 3                     |
    When the quota usage of namespace "default" is computed
    Then the namespace uses 5 of "requests.example.com/gpu"
    And the namespace uses 0 of "mygpuclass.deviceclass.resource.k8s.io/devices"
