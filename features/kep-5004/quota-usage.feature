@profile:since-1.35
Feature: Quota usage of pods and ResourceClaims
  Pods count their requests by resource name. ResourceClaims count their devices for the DeviceClass and for the
  extended resource that the DeviceClass backs. A device that a pod and its extended-resource claim both request
  counts once.

  Background:
    Given a DeviceClass "mygpuclass" for extended resource "example.com/gpu"

  @profile:kep
  Rule: Quota example of KEP-5004

    Background:
      Given a pod "gpu-0" that requests 1 of "example.com/gpu"
      And a pod "gpu-1" that requests 1 of "example.com/gpu"
      And a ResourceClaim "special-1" requesting 1 device of class "mygpuclass"
      And ResourceClaim "special-1" is the extended-resource claim of pod "gpu-1"
      And a pod "gpu-2" that requests 1 of "deviceclass.resource.kubernetes.io/mygpuclass"
      And a ResourceClaim "special-2" requesting 1 device of class "mygpuclass"
      And ResourceClaim "special-2" is the extended-resource claim of pod "gpu-2"
      And a ResourceClaim "gpu-3" requesting 1 device of class "mygpuclass"
      And a ResourceClaim "gpu-4-from-template" requesting 1 device of class "mygpuclass"

    @case:worked-example-gate-on
    @KEP-5004/quota/worked-example-after-adjustment @KEP-5004/quota/implicit-counts-claims-and-explicit-dra
    @KEP-5004/quota/class-counts-special-claims @KEP-5004/quota/no-double-count @KEP-5004/quota/consistency-invariant
    Scenario: Quotas in the KEP's example also count devices of claims with DRAExtendedResource on
      When the quota usage of namespace "default" is computed
      Then the namespace uses 5 of "requests.example.com/gpu"
      And the namespace uses 4 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
      And the namespace uses 4 of "mygpuclass.deviceclass.resource.k8s.io/devices"

    @case:worked-example-gate-off
    @KEP-5004/quota/worked-example-before-adjustment
    Scenario: With DRAExtendedResource off, extended resource quotas in the KEP's example ignore claims
      Given the feature gate "DRAExtendedResource" is off
      When the quota usage of namespace "default" is computed
      Then the namespace uses 2 of "requests.example.com/gpu"
      And the namespace uses 1 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
      And the namespace uses 4 of "mygpuclass.deviceclass.resource.k8s.io/devices"

  @profile:kep
  Rule: Quota usage of pods

    @case:device-plugin-pods
    @KEP-5004/quota/explicit-counts-device-plugin @KEP-5004/quota/implicit-and-class-exclude-device-plugin
    Scenario: Device plugin pods count only in the quota of the name that they request
      Given a pod "p0" on node "node-1" that requests 1 of "example.com/gpu"
      And a pod "p1" on node "node-1" that requests 1 of "example.com/gpu"
      And a pod "p2" on node "node-1" that requests 1 of "example.com/gpu"
      And a pod "p3" on node "node-1" that requests 1 of "example.com/gpu"
      And a pod "p4" on node "node-1" that requests 1 of "example.com/gpu"
      When the quota usage of namespace "default" is computed
      Then the namespace uses 5 of "requests.example.com/gpu"
      And the namespace uses 0 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
      And the namespace uses 0 of "mygpuclass.deviceclass.resource.k8s.io/devices"

    @case:pending-pod-implicit-name
    @KEP-5004/quota/pending-pod
    Scenario: A Pending pod that requests the implicit name counts only in the quota of this name
      Given a pod "p" that requests 2 of "deviceclass.resource.kubernetes.io/mygpuclass"
      When the quota usage of namespace "default" is computed
      Then the namespace uses 0 of "requests.example.com/gpu"
      And the namespace uses 2 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
      And the namespace uses 0 of "mygpuclass.deviceclass.resource.k8s.io/devices"

    @case:pending-pod-explicit-name
    @KEP-5004/quota/pending-pod
    Scenario: A Pending pod that requests the explicit name counts only in the quota of this name
      Given a pod "p" that requests 2 of "example.com/gpu"
      When the quota usage of namespace "default" is computed
      Then the namespace uses 2 of "requests.example.com/gpu"
      And the namespace uses 0 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
      And the namespace uses 0 of "mygpuclass.deviceclass.resource.k8s.io/devices"

    @case:containers-add-up
    @KEP-5004/quota/several-containers
    Scenario: Requests of two containers add up in explicit-name, implicit-name and DeviceClass quotas
      Given a pod "p" with the containers
        | container | request example.com/gpu | limit example.com/gpu |
        | c0        | 1                       | 1                     |
        | c1        | 2                       | 2                     |
      And a ResourceClaim "s" with the requests
        | request               | deviceClassName | count |
        | container-0-request-0 | mygpuclass      | 1     |
        | container-1-request-0 | mygpuclass      | 2     |
      And ResourceClaim "s" is the extended-resource claim of pod "p"
      When the quota usage of namespace "default" is computed
      Then the namespace uses 3 of "requests.example.com/gpu"
      And the namespace uses 3 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
      And the namespace uses 3 of "mygpuclass.deviceclass.resource.k8s.io/devices"

  @profile:kep
  Rule: Quota usage of ResourceClaims

    @case:claims-count-in-all-quotas
    @KEP-5004/quota/explicit-counts-resource-claims @KEP-5004/quota/implicit-counts-claims-and-explicit-dra
    Scenario: ResourceClaims count in the quotas of the explicit name, implicit name and DeviceClass
      Given a ResourceClaim "by-hand" requesting 2 devices of class "mygpuclass"
      And a ResourceClaim "from-template" requesting 1 device of class "mygpuclass"
      When the quota usage of namespace "default" is computed
      Then the namespace uses 3 of "requests.example.com/gpu"
      And the namespace uses 3 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
      And the namespace uses 3 of "mygpuclass.deviceclass.resource.k8s.io/devices"
      And the namespace uses 2 of "count/resourceclaims.resource.k8s.io"

    @case:request-and-list-add-up
    @KEP-5004/quota/explicit-counts-resource-claims
    Scenario: In quotas, the count of a request and the count of a prioritized list add up
      Given a ResourceClaim "c" with the requests
        | request | subrequest | deviceClassName | count | selector                           |
        | a       |            | mygpuclass      | 3     |                                    |
        | b       | best       | mygpuclass      | 2     | device.driver == "gpu.example.com" |
        | b       | any        | mygpuclass      | 2     |                                    |
      When the quota usage of namespace "default" is computed
      Then the namespace uses 5 of "requests.example.com/gpu"
      And the namespace uses 5 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
      And the namespace uses 5 of "mygpuclass.deviceclass.resource.k8s.io/devices"

    @case:admin-access-counts
    @KEP-5004/quota/explicit-counts-resource-claims
    Scenario: A request with adminAccess counts in quotas like any other request
      Given a ResourceClaim "c" with the request
        | request | deviceClassName | count | adminAccess |
        | a       | mygpuclass      | 2     | yes         |
      When the quota usage of namespace "default" is computed
      Then the namespace uses 2 of "requests.example.com/gpu"
      And the namespace uses 2 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
      And the namespace uses 2 of "mygpuclass.deviceclass.resource.k8s.io/devices"

    @case:class-without-explicit-name
    @KEP-5004/quota/class-without-explicit-name @KEP-5004/quota/key-prefix
    Scenario: Quotas count a DeviceClass without extendedResourceName by implicit name and DeviceClass
      Given a DeviceClass "plain"
      And a pod "p" that requests 1 of "deviceclass.resource.kubernetes.io/plain"
      And a ResourceClaim "s" requesting 1 device of class "plain"
      And ResourceClaim "s" is the extended-resource claim of pod "p"
      And a ResourceClaim "c" requesting 1 device of class "plain"
      When the quota usage of namespace "default" is computed
      Then the namespace uses 2 of "requests.deviceclass.resource.kubernetes.io/plain"
      And the namespace uses 0 of "request.deviceclass.resource.kubernetes.io/plain"
      And the namespace uses 2 of "plain.deviceclass.resource.k8s.io/devices"
      And the namespace uses 0 of "requests.example.com/gpu"

    @case:two-classes-one-name
    @KEP-5004/quota/two-classes-one-name
    Scenario: Devices of two DeviceClasses with one extendedResourceName add up in the quota of the name
      Given a DeviceClass "other" for extended resource "example.com/gpu"
      And a ResourceClaim "c" requesting 1 device of class "mygpuclass"
      And a ResourceClaim "d" requesting 2 devices of class "other"
      When the quota usage of namespace "default" is computed
      Then the namespace uses 3 of "requests.example.com/gpu"
      And the namespace uses 1 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
      And the namespace uses 1 of "mygpuclass.deviceclass.resource.k8s.io/devices"
      And the namespace uses 2 of "requests.deviceclass.resource.kubernetes.io/other"
      And the namespace uses 2 of "other.deviceclass.resource.k8s.io/devices"

    @case:namespaces-are-separate
    @KEP-5004/quota/per-namespace
    Scenario: A namespace counts only its own ResourceClaims and pods in its quotas
      Given a ResourceClaim "team-a/c" requesting 2 devices of class "mygpuclass"
      And a pod "team-a/p" that requests 4 of "example.com/gpu"
      And a ResourceClaim "c" requesting 1 device of class "mygpuclass"
      And a DeviceClass "nic"
      And a ResourceClaim "n" requesting 5 devices of class "nic"
      When the quota usage of namespace "default" is computed
      Then the namespace uses 1 of "requests.example.com/gpu"
      And the namespace uses 1 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
      And the namespace uses 1 of "mygpuclass.deviceclass.resource.k8s.io/devices"

  @profile:kep
  Rule: Quota usage of pods together with their extended-resource claims

    @case:pod-and-claim-count-once
    @KEP-5004/quota/no-double-count @KEP-5004/quota/class-counts-special-claims @KEP-5004/quota/implicit-counts-claims-and-explicit-dra
    Scenario Outline: Each quota counts a pod and its extended-resource claim once
      Given a pod "p" that requests 2 of "<resource>"
      And a ResourceClaim "s" requesting 2 devices of class "mygpuclass"
      And ResourceClaim "s" is the extended-resource claim of pod "p"
      When the quota usage of namespace "default" is computed
      Then the namespace uses 2 of "requests.example.com/gpu"
      And the namespace uses 2 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
      And the namespace uses 2 of "mygpuclass.deviceclass.resource.k8s.io/devices"

      Examples:
        | resource                                      |
        | example.com/gpu                               |
        | deviceclass.resource.kubernetes.io/mygpuclass |

    @case:dra-devices-and-device-plugin-devices
    @KEP-5004/quota/consistency-invariant @KEP-5004/quota/explicit-counts-device-plugin
    @KEP-5004/quota/implicit-and-class-exclude-device-plugin
    Scenario Outline: The explicit quota counts the devices of the other two quotas and of device plugins
      Given a pod "plugin" on node "node-1" that requests <plugin> of "example.com/gpu"
      And a pod "explicit" on node "node-1" that requests <explicit> of "example.com/gpu"
      And a ResourceClaim "of-explicit" requesting <explicit> devices of class "mygpuclass"
      And ResourceClaim "of-explicit" is the extended-resource claim of pod "explicit"
      And a pod "implicit" on node "node-1" that requests <implicit> of "deviceclass.resource.kubernetes.io/mygpuclass"
      And a ResourceClaim "of-implicit" requesting <implicit> devices of class "mygpuclass"
      And ResourceClaim "of-implicit" is the extended-resource claim of pod "implicit"
      And a ResourceClaim "c" requesting <claimed> devices of class "mygpuclass"
      When the quota usage of namespace "default" is computed
      Then the namespace uses <all> of "requests.example.com/gpu"
      And the namespace uses <dra> of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
      And the namespace uses <dra> of "mygpuclass.deviceclass.resource.k8s.io/devices"

      Examples:
        | plugin | explicit | implicit | claimed | dra | all |
        | 1      | 2        | 4        | 8       | 14  | 15  |
        | 8      | 4        | 2        | 2       | 8   | 16  |

    @case:unnamed-claim-counts-with-pod
    @KEP-5004/quota/no-double-count
    Scenario: Quotas count a pod and its claim once even before the pod status names the claim
      Given a pod "p" that requests 2 of "example.com/gpu"
      And a ResourceClaim "s" requesting 2 devices of class "mygpuclass"
      And ResourceClaim "s" is the extended-resource claim of pod "p", whose status does not name it yet
      When the quota usage of namespace "default" is computed
      Then the namespace uses 2 of "requests.example.com/gpu"
      And the namespace uses 2 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
      And the namespace uses 2 of "mygpuclass.deviceclass.resource.k8s.io/devices"

    @case:claim-with-fewer-devices
    @KEP-5004/quota/no-double-count
    Scenario: An extended-resource claim with fewer devices than its pod requests adds no quota usage
      Given a pod "p" that requests 3 of "example.com/gpu"
      And a ResourceClaim "s" requesting 1 device of class "mygpuclass"
      And ResourceClaim "s" is the extended-resource claim of pod "p"
      When the quota usage of namespace "default" is computed
      Then the namespace uses 3 of "requests.example.com/gpu"
      And the namespace uses 1 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
      And the namespace uses 1 of "mygpuclass.deviceclass.resource.k8s.io/devices"

    @case:both-names-in-one-container
    @KEP-5004/quota/no-double-count
    Scenario: A container that requests explicit and implicit names counts each device once in a quota
      Given a pod "p" with the container
        | container | request example.com/gpu | limit example.com/gpu | request deviceclass.resource.kubernetes.io/mygpuclass | limit deviceclass.resource.kubernetes.io/mygpuclass |
        | main      | 1                       | 1                     | 1                                                     | 1                                                   |
      And a ResourceClaim "s" with the requests
        | request | deviceClassName | count |
        | a       | mygpuclass      | 1     |
        | b       | mygpuclass      | 1     |
      And ResourceClaim "s" is the extended-resource claim of pod "p"
      When the quota usage of namespace "default" is computed
      Then the namespace uses 2 of "requests.example.com/gpu"
      And the namespace uses 2 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
      And the namespace uses 2 of "mygpuclass.deviceclass.resource.k8s.io/devices"

    @case:claim-of-earlier-pod
    @KEP-5004/quota/explicit-counts-resource-claims
    Scenario: The extended-resource claim of an earlier pod with the same name also counts in quotas
      Given the object
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: p, namespace: default, uid: 3a8ff6f1-36f8-4f0b-8d63-0d5a1f3f5004}
        spec:
          containers:
            - name: main
              image: registry.k8s.io/pause:3.10
              resources: {limits: {example.com/gpu: 2}, requests: {example.com/gpu: 2}}
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
            - {apiVersion: v1, kind: Pod, name: p, uid: 90a7e2a4-7c5e-4a6e-9b7f-6f2f2a1b5004, controller: true}
        spec:
          devices:
            requests: [{name: r0, exactly: {deviceClassName: mygpuclass, allocationMode: ExactCount, count: 2}}]
        """
      When the quota usage of namespace "default" is computed
      Then the namespace uses 4 of "requests.example.com/gpu"
      And the namespace uses 2 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
      And the namespace uses 2 of "mygpuclass.deviceclass.resource.k8s.io/devices"

    @case:claim-in-other-namespace
    @KEP-5004/quota/no-double-count
    Scenario: A claim with the same owner in another namespace does not change a pod's quota usage
      Given the object
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: p, namespace: default, uid: 3a8ff6f1-36f8-4f0b-8d63-0d5a1f3f5004}
        spec:
          containers:
            - name: main
              image: registry.k8s.io/pause:3.10
              resources: {limits: {example.com/gpu: 2}, requests: {example.com/gpu: 2}}
        """
      And the object
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata:
          name: s
          namespace: default
          creationTimestamp: "2026-01-02T00:00:00Z"
          annotations: {resource.kubernetes.io/extended-resource-claim: 'true'}
          ownerReferences:
            - {apiVersion: v1, kind: Pod, name: p, uid: 3a8ff6f1-36f8-4f0b-8d63-0d5a1f3f5004, controller: true}
        spec:
          devices:
            requests: [{name: r0, exactly: {deviceClassName: mygpuclass, allocationMode: ExactCount, count: 2}}]
        """
      And the object
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata:
          name: t
          namespace: other
          creationTimestamp: "2026-01-01T00:00:00Z"
          annotations: {resource.kubernetes.io/extended-resource-claim: 'true'}
          ownerReferences:
            - {apiVersion: v1, kind: Pod, name: p, uid: 3a8ff6f1-36f8-4f0b-8d63-0d5a1f3f5004, controller: true}
        spec:
          devices:
            requests: [{name: r0, exactly: {deviceClassName: mygpuclass, allocationMode: ExactCount, count: 2}}]
        """
      When the quota usage of namespace "default" is computed
      Then the namespace uses 2 of "requests.example.com/gpu"
      And the namespace uses 2 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
      And the namespace uses 2 of "mygpuclass.deviceclass.resource.k8s.io/devices"

    @case:template-claim-counts
    @KEP-5004/quota/explicit-counts-resource-claims
    Scenario: A ResourceClaim from a template counts in quotas in addition to the requests of its pod
      Given the object
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: p, namespace: default, uid: 3a8ff6f1-36f8-4f0b-8d63-0d5a1f3f5004}
        spec:
          resourceClaims: [{name: gpu, resourceClaimTemplateName: t}]
          containers:
            - name: main
              image: registry.k8s.io/pause:3.10
              resources:
                limits: {example.com/gpu: 2}
                requests: {example.com/gpu: 2}
                claims: [{name: gpu}]
        """
      And the object
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata:
          name: p-gpu-x
          namespace: default
          annotations: {resource.kubernetes.io/pod-claim-name: gpu}
          ownerReferences:
            - {apiVersion: v1, kind: Pod, name: p, uid: 3a8ff6f1-36f8-4f0b-8d63-0d5a1f3f5004, controller: true}
        spec:
          devices:
            requests: [{name: r0, exactly: {deviceClassName: mygpuclass, allocationMode: ExactCount, count: 1}}]
        """
      When the quota usage of namespace "default" is computed
      Then the namespace uses 3 of "requests.example.com/gpu"
      And the namespace uses 1 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
      And the namespace uses 1 of "mygpuclass.deviceclass.resource.k8s.io/devices"

  Rule: Pods with two extended-resource claims

    @case:claim-not-named-by-pod
    @KEP-5004/quota/no-double-count
    Scenario: Quotas count a pod and a second extended-resource claim that its status does not name
      Given a pod "p" that requests 1 of "example.com/gpu"
      And a ResourceClaim "left-over" requesting 1 device of class "mygpuclass"
      And ResourceClaim "left-over" is the extended-resource claim of pod "p"
      And a ResourceClaim "s" requesting 1 device of class "mygpuclass"
      And ResourceClaim "s" is the extended-resource claim of pod "p"
      When the quota usage of namespace "default" is computed
      Then the namespace uses 2 of "requests.example.com/gpu"
      And the namespace uses 2 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
      And the namespace uses 2 of "mygpuclass.deviceclass.resource.k8s.io/devices"

    @case:two-unnamed-claims
    @KEP-5004/quota/no-double-count
    Scenario: Quotas count a pod and one of its two extended-resource claims if its status names neither
      Given a pod "p" that requests 1 of "example.com/gpu"
      And a ResourceClaim "s-1" requesting 1 device of class "mygpuclass"
      And ResourceClaim "s-1" is the extended-resource claim of pod "p", whose status does not name it yet
      And a ResourceClaim "s-2" requesting 1 device of class "mygpuclass"
      And ResourceClaim "s-2" is the extended-resource claim of pod "p", whose status does not name it yet
      When the quota usage of namespace "default" is computed
      Then the namespace uses 2 of "requests.example.com/gpu"
      And the namespace uses 2 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
      And the namespace uses 2 of "mygpuclass.deviceclass.resource.k8s.io/devices"
      But in Kubernetes 1.35, because every extended-resource claim of a pod is treated as counted with the pod: the namespace uses 1 of "requests.example.com/gpu" and 2 of "requests.deviceclass.resource.kubernetes.io/mygpuclass" and 2 of "mygpuclass.deviceclass.resource.k8s.io/devices"
