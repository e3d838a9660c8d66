@profile:kep @profile:since-1.35
Feature: What claims and pods count against quotas
  Pods count what they request by name. Claims count their devices, for the class and for the extended resource that
  the class stands for. What a pod and its special claim both ask for is counted once.

  Background:
    Given a device class "mygpuclass" for "example.com/gpu"

  Rule: The worked example of the document

    Background:
      Given a pod "gpu-0" that requests 1 of "example.com/gpu"
      And a pod "gpu-1" that requests 1 of "example.com/gpu"
      And a claim "special-1" requesting 1 device of class "mygpuclass"
      And claim "special-1" is the special claim of pod "gpu-1"
      And a pod "gpu-2" that requests 1 of "deviceclass.resource.kubernetes.io/mygpuclass"
      And a claim "special-2" requesting 1 device of class "mygpuclass"
      And claim "special-2" is the special claim of pod "gpu-2"
      And a claim "gpu-3" requesting 1 device of class "mygpuclass"
      And a claim "gpu-4-from-template" requesting 1 device of class "mygpuclass"

    @case:with-the-adjustment-the-five-devices-count-5-4-and-4
    @KEP-5004/quota/worked-example-after-adjustment @KEP-5004/quota/consistency-invariant
    @KEP-5004/quota/implicit-counts-claims-and-explicit-dra @KEP-5004/quota/class-counts-special-claims
    @KEP-5004/quota/no-double-count
    Scenario: With the adjustment the five devices count 5, 4 and 4
      When the usage of namespace "default" is counted
      Then the namespace uses 5 of "requests.example.com/gpu"
      And the namespace uses 4 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
      And the namespace uses 4 of "mygpuclass.deviceclass.resource.k8s.io/devices"

    @case:without-the-adjustment-the-five-devices-count-2-1
    @KEP-5004/quota/worked-example-before-adjustment
    Scenario: Without the adjustment the five devices count 2, 1 and 4
      Given the feature gate "DRAExtendedResource" is off
      When the usage of namespace "default" is counted
      Then the namespace uses 2 of "requests.example.com/gpu"
      And the namespace uses 1 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
      And the namespace uses 4 of "mygpuclass.deviceclass.resource.k8s.io/devices"

  Rule: What pods count

    @case:devices-of-device-plugins-count-by-the-name-that
    @KEP-5004/quota/explicit-counts-device-plugin @KEP-5004/quota/implicit-and-class-exclude-device-plugin
    Scenario: Devices of device plugins count by the name that pods use, and for nothing else
      Given a pod "p0" on node "node-1" that requests 1 of "example.com/gpu"
      And a pod "p1" on node "node-1" that requests 1 of "example.com/gpu"
      And a pod "p2" on node "node-1" that requests 1 of "example.com/gpu"
      And a pod "p3" on node "node-1" that requests 1 of "example.com/gpu"
      And a pod "p4" on node "node-1" that requests 1 of "example.com/gpu"
      When the usage of namespace "default" is counted
      Then the namespace uses 5 of "requests.example.com/gpu"
      And the namespace uses 0 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
      And the namespace uses 0 of "mygpuclass.deviceclass.resource.k8s.io/devices"

    @case:a-pod-that-waits-counts-only-by-the-name-it-uses
    @KEP-5004/quota/pending-pod @KEP-5004/quota/key-prefix
    Scenario: A pod that waits counts only by the name it uses
      Given a pod "p" that requests 2 of "deviceclass.resource.kubernetes.io/mygpuclass"
      When the usage of namespace "default" is counted
      Then the namespace uses 0 of "requests.example.com/gpu"
      And the namespace uses 2 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
      And the namespace uses 0 of "mygpuclass.deviceclass.resource.k8s.io/devices"
      And the namespace uses 0 of "request.deviceclass.resource.kubernetes.io/mygpuclass"

    @case:a-pod-that-waits-for-an-explicit-name-counts-only
    @KEP-5004/quota/pending-pod
    Scenario: A pod that waits for an explicit name counts only there
      Given a pod "p" that requests 2 of "example.com/gpu"
      When the usage of namespace "default" is counted
      Then the namespace uses 2 of "requests.example.com/gpu"
      And the namespace uses 0 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
      And the namespace uses 0 of "mygpuclass.deviceclass.resource.k8s.io/devices"

    @case:what-containers-request-adds-up
    @KEP-5004/quota/several-containers
    Scenario: What containers request adds up
      Given a pod "p" with the containers
        | container | request example.com/gpu | limit example.com/gpu |
        | c0        | 1                       | 1                     |
        | c1        | 2                       | 2                     |
      And a claim "s" with the requests
        | request             | class      | count |
        | container-0-request-0 | mygpuclass | 1   |
        | container-1-request-0 | mygpuclass | 2   |
      And claim "s" is the special claim of pod "p"
      When the usage of namespace "default" is counted
      Then the namespace uses 3 of "requests.example.com/gpu"
      And the namespace uses 3 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
      And the namespace uses 3 of "mygpuclass.deviceclass.resource.k8s.io/devices"

  Rule: What claims count

    @case:claims-count-for-the-class-and-for-the-extended
    @KEP-5004/quota/explicit-counts-resource-claims @KEP-5004/quota/implicit-counts-claims-and-explicit-dra
    Scenario: Claims count for the class, and for the extended resource under both names
      Given a claim "by-hand" requesting 2 devices of class "mygpuclass"
      And a claim "from-template" requesting 1 device of class "mygpuclass"
      When the usage of namespace "default" is counted
      Then the namespace uses 3 of "requests.example.com/gpu"
      And the namespace uses 3 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
      And the namespace uses 3 of "mygpuclass.deviceclass.resource.k8s.io/devices"
      And the namespace uses 2 of "count/resourceclaims.resource.k8s.io"

    @case:several-requests-of-a-claim-add-up-one-of-them-with
    @KEP-5004/quota/explicit-counts-resource-claims
    Scenario: Several requests of a claim add up, one of them with alternatives of 2 devices each
      Given a claim "c" with the requests
        | request | subrequest | class      | count | selector                           |
        | a       |            | mygpuclass | 3     |                                    |
        | b       | best       | mygpuclass | 2     | device.driver == "gpu.example.com" |
        | b       | any        | mygpuclass | 2     |                                    |
      When the usage of namespace "default" is counted
      Then the namespace uses 5 of "requests.example.com/gpu"
      And the namespace uses 5 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
      And the namespace uses 5 of "mygpuclass.deviceclass.resource.k8s.io/devices"

    @case:requests-with-admin-access-count-as-all-others-do
    @KEP-5004/quota/explicit-counts-resource-claims
    Scenario: Requests with admin access count as all others do
      Given a claim "c" with the request
        | request | class      | count | admin |
        | a       | mygpuclass | 2     | yes   |
      When the usage of namespace "default" is counted
      Then the namespace uses 2 of "requests.example.com/gpu"
      And the namespace uses 2 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
      And the namespace uses 2 of "mygpuclass.deviceclass.resource.k8s.io/devices"

    @case:a-class-without-an-extended-resource-counts-under
    @KEP-5004/quota/class-without-explicit-name
    Scenario: A class without an extended resource counts under its own names only
      Given a device class "plain"
      And a pod "p" that requests 1 of "deviceclass.resource.kubernetes.io/plain"
      And a claim "s" requesting 1 device of class "plain"
      And claim "s" is the special claim of pod "p"
      And a claim "c" requesting 1 device of class "plain"
      When the usage of namespace "default" is counted
      Then the namespace uses 2 of "requests.deviceclass.resource.kubernetes.io/plain"
      And the namespace uses 2 of "plain.deviceclass.resource.k8s.io/devices"
      And the namespace uses 0 of "requests.example.com/gpu"

    @case:two-classes-for-one-extended-resource-count-there
    @KEP-5004/quota/two-classes-one-name
    Scenario: Two classes for one extended resource count there together, and each for itself
      Given a device class "other" for "example.com/gpu"
      And a claim "c" requesting 1 device of class "mygpuclass"
      And a claim "d" requesting 2 devices of class "other"
      When the usage of namespace "default" is counted
      Then the namespace uses 3 of "requests.example.com/gpu"
      And the namespace uses 1 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
      And the namespace uses 1 of "mygpuclass.deviceclass.resource.k8s.io/devices"
      And the namespace uses 2 of "requests.deviceclass.resource.kubernetes.io/other"
      And the namespace uses 2 of "other.deviceclass.resource.k8s.io/devices"

    @case:each-namespace-counts-its-own-claims-and-pods
    @KEP-5004/quota/per-namespace
    Scenario: Each namespace counts its own claims and pods
      Given a claim "team-a/c" requesting 2 devices of class "mygpuclass"
      And a pod "team-a/p" that requests 4 of "example.com/gpu"
      And a claim "c" requesting 1 device of class "mygpuclass"
      And a device class "nic"
      And a claim "n" requesting 5 devices of class "nic"
      When the usage of namespace "default" is counted
      Then the namespace uses 1 of "requests.example.com/gpu"
      And the namespace uses 1 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
      And the namespace uses 1 of "mygpuclass.deviceclass.resource.k8s.io/devices"

  Rule: A pod and its special claim are counted once

    @case:a-pod-that-asks-for-and-its-special-claim-count-once
    @KEP-5004/quota/no-double-count @KEP-5004/quota/class-counts-special-claims @KEP-5004/quota/implicit-counts-claims-and-explicit-dra
    Scenario Outline: A pod that asks for <resource> and its special claim count once everywhere
      Given a pod "p" that requests 2 of "<resource>"
      And a claim "s" requesting 2 devices of class "mygpuclass"
      And claim "s" is the special claim of pod "p"
      When the usage of namespace "default" is counted
      Then the namespace uses 2 of "requests.example.com/gpu"
      And the namespace uses 2 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
      And the namespace uses 2 of "mygpuclass.deviceclass.resource.k8s.io/devices"

      Examples:
        | resource                                      |
        | example.com/gpu                               |
        | deviceclass.resource.kubernetes.io/mygpuclass |

    @case:the-only-special-claim-of-a-pod-that-does-not-name
    @KEP-5004/quota/no-double-count
    Scenario: The only special claim of a pod that does not name it yet counts with the pod
      Given a pod "p" that requests 2 of "example.com/gpu"
      And a claim "s" requesting 2 devices of class "mygpuclass"
      And claim "s" is the special claim of pod "p", which does not name it yet
      When the usage of namespace "default" is counted
      Then the namespace uses 2 of "requests.example.com/gpu"
      And the namespace uses 2 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
      And the namespace uses 2 of "mygpuclass.deviceclass.resource.k8s.io/devices"

    @case:a-container-that-asks-by-both-names-counts-each
    @KEP-5004/quota/no-double-count
    Scenario: A container that asks by both names counts each device once
      Given a pod "p" with the container
        | container | request example.com/gpu | limit example.com/gpu | request deviceclass.resource.kubernetes.io/mygpuclass | limit deviceclass.resource.kubernetes.io/mygpuclass |
        | main      | 1                       | 1                     | 1                                                     | 1                                                   |
      And a claim "s" with the requests
        | request | class      | count |
        | a       | mygpuclass | 1     |
        | b       | mygpuclass | 1     |
      And claim "s" is the special claim of pod "p"
      When the usage of namespace "default" is counted
      Then the namespace uses 2 of "requests.example.com/gpu"
      And the namespace uses 2 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
      And the namespace uses 2 of "mygpuclass.deviceclass.resource.k8s.io/devices"

    @case:a-claim-that-another-pod-of-that-name-had-counts-on
    @KEP-5004/quota/no-double-count
    Scenario: A claim that another pod of that name had counts on its own
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
      When the usage of namespace "default" is counted
      Then the namespace uses 4 of "requests.example.com/gpu"
      And the namespace uses 2 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
      And the namespace uses 2 of "mygpuclass.deviceclass.resource.k8s.io/devices"

    @case:an-older-claim-of-another-namespace-that-gives
    @KEP-5004/quota/no-double-count
    Scenario: An older claim of another namespace that gives itself out as the pod's changes nothing
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
      When the usage of namespace "default" is counted
      Then the namespace uses 2 of "requests.example.com/gpu"
      And the namespace uses 2 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
      And the namespace uses 2 of "mygpuclass.deviceclass.resource.k8s.io/devices"

    @case:a-claim-that-the-pod-does-not-name-counts-on-its-own
    @KEP-5004/quota/no-double-count
    Scenario: A claim that the pod does not name counts on its own
      Given a pod "p" that requests 1 of "example.com/gpu"
      And a claim "left-over" requesting 1 device of class "mygpuclass"
      And claim "left-over" is the special claim of pod "p"
      And a claim "s" requesting 1 device of class "mygpuclass"
      And claim "s" is the special claim of pod "p"
      When the usage of namespace "default" is counted
      Then the namespace uses 2 of "requests.example.com/gpu"
      And the namespace uses 2 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
      And the namespace uses 2 of "mygpuclass.deviceclass.resource.k8s.io/devices"

    @case:of-two-claims-made-for-a-pod-that-names-none-yet-one
    @KEP-5004/quota/no-double-count
    Scenario: Of two claims made for a pod that names none yet, one counts on its own
      Given a pod "p" that requests 1 of "example.com/gpu"
      And a claim "s-1" requesting 1 device of class "mygpuclass"
      And claim "s-1" is the special claim of pod "p", which does not name it yet
      And a claim "s-2" requesting 1 device of class "mygpuclass"
      And claim "s-2" is the special claim of pod "p", which does not name it yet
      When the usage of namespace "default" is counted
      Then the namespace uses 2 of "requests.example.com/gpu"
      And the namespace uses 2 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
      And the namespace uses 2 of "mygpuclass.deviceclass.resource.k8s.io/devices"
      But in Kubernetes 1.35, because every special claim of a pod is taken to be counted with it: the namespace uses 1 of "requests.example.com/gpu" and 2 of "requests.deviceclass.resource.kubernetes.io/mygpuclass" and 2 of "mygpuclass.deviceclass.resource.k8s.io/devices"

    @case:a-claim-made-from-a-template-counts-beside-what-its
    @KEP-5004/quota/no-double-count @KEP-5004/quota/explicit-counts-resource-claims
    Scenario: A claim made from a template counts beside what its pod requests
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
      When the usage of namespace "default" is counted
      Then the namespace uses 3 of "requests.example.com/gpu"
      And the namespace uses 1 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
      And the namespace uses 1 of "mygpuclass.deviceclass.resource.k8s.io/devices"
